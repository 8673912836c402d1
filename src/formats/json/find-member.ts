import type { Body } from '../format.ts'
import { asBuffer } from './document.ts'
import { findValue } from './find-value.ts'
import { skipSpace } from './scan.ts'

const excerptLength = 400

/** The first characters of a member of the body itself: tools and metadata may have members of the same name. */
export function memberText(body: Body, key: string): string | null {
  // Most bodies have it nowhere, which is found out without reading them.
  if (textAfter(body, `"${key}"`) === null) return null
  const scan = typeof body === 'string' ? body : asBuffer(body).toString('latin1')
  const at = findValue(scan, skipSpace(scan, 0), [key])
  return at < 0 ? null : scan.slice(at, at + excerptLength)
}

/** The few characters after the first place where a body has this text. */
export function textAfter(body: Body, text: string): string | null {
  const at = typeof body === 'string' ? body.indexOf(text) : asBuffer(body).indexOf(text)
  if (at < 0) return null
  const [start, end] = [at + text.length, at + text.length + excerptLength]
  return typeof body === 'string'
    ? body.slice(start, end)
    : asBuffer(body).toString('utf8', start, end)
}
