import type { Body } from '../format.ts'
import { asBuffer } from './document.ts'
import { rootOf } from './raw-node.ts'

const excerptLength = 400

/** The first characters of a top-level member. Tools and metadata may have members of the same name. */
export function memberText(body: Body, key: string): string | null {
  if (textAfter(body, `"${key}"`) === null) return null
  const node = rootOf(body)?.child(key) ?? null
  return node === null ? null : node.rawText.slice(0, excerptLength)
}

/** The characters after the first occurrence of a text in a body. */
export function textAfter(body: Body, text: string): string | null {
  const at = typeof body === 'string' ? body.indexOf(text) : asBuffer(body).indexOf(text)
  if (at < 0) return null
  const [start, end] = [at + text.length, at + text.length + excerptLength]
  return typeof body === 'string'
    ? body.slice(start, end)
    : asBuffer(body).toString('utf8', start, end)
}
