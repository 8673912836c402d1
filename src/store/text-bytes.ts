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
export const hashBytes = 20

/** No UTF-8 text starts with 0xff, so the hashes of the two encodings never collide. */
export function hashedContent({ form, bytes }: TextBytes): Buffer {
  return form === 'utf8' ? bytes : Buffer.concat([Buffer.of(0xff), bytes])
}

/** The hash that identifies an original. */
export function hashOf(text: TextBytes): Buffer {
  return hash('sha256', hashedContent(text), 'buffer').subarray(0, hashBytes)
}
