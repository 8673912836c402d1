import { hash } from 'node:crypto'

/** How a text stands in bytes. UTF-8 cannot hold lone surrogates; a text that has them is kept as UTF-16. */
export type TextForm = 'utf8' | 'utf16le'

export interface TextBytes {
  readonly form: TextForm
  readonly bytes: Buffer
}

export function bytesOf(text: string): TextBytes {
  const form = text.isWellFormed() ? 'utf8' : 'utf16le'
  return { form, bytes: Buffer.from(text, form) }
}

/** Long enough that no two texts share a hash. */
const hashBytes = 20

/** What an original is known by, over its whole text. */
export function hashOf({ form, bytes }: TextBytes): Buffer {
  // 0xff starts no UTF-8 text, so that the two forms never meet.
  const content = form === 'utf8' ? bytes : Buffer.concat([Buffer.of(0xff), bytes])
  return hash('sha256', content, 'buffer').subarray(0, hashBytes)
}
