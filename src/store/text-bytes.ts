import { hash } from 'node:crypto'

/** The encoding of a stored text. UTF-8 cannot encode lone surrogates, so a text with them is stored as UTF-16. */
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

/** The hash that identifies an original. */
export function hashOf({ form, bytes }: TextBytes): Buffer {
  // No UTF-8 text starts with 0xff, so the hashes of the two encodings never collide.
  const content = form === 'utf8' ? bytes : Buffer.concat([Buffer.of(0xff), bytes])
  return hash('sha256', content, 'buffer').subarray(0, hashBytes)
}
