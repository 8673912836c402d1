import { maximumDepth, skipSpace } from './scan.ts'

/** Where a text stops being valid JSON, and why. */
export interface SyntaxProblem {
  readonly offset: number
  readonly message: string
}

const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const shortEscapes = '"\\/bfnrt'

/**
 * The first error in the JSON value that starts at `at`, or the position after the value if there is none. Gives the same
 * message in every runtime. Only used after `JSON.parse` failed, so it may be slow.
 */
export function checkSyntax(text: string, at: number): SyntaxProblem | number {
  const open: number[] = []
  let position = at
  for (;;) {
    position = skipSpace(text, position)
    const code = text.charCodeAt(position)
    if (code === openBrace || code === openBracket) {
      if (open.length === maximumDepth) {
        return { offset: position, message: `nested deeper than ${maximumDepth} levels` }
      }
      const inside = skipSpace(text, position + 1)
      if (text.charCodeAt(inside) === (code === openBrace ? closeBrace : closeBracket)) {
        position = inside + 1
      } else {
        open.push(code)
        position = code === openBrace ? skipKey(text, inside) : inside
        if (position < 0) return unexpected(text, ~position)
        continue
      }
    } else {
      position = code === 0x22 ? strictString(text, position) : strictScalar(text, position)
      if (position < 0) return unexpected(text, ~position)
    }
    for (;;) {
      const container = open.at(-1)
      if (container === undefined) return position
      position = skipSpace(text, position)
      const next = text.charCodeAt(position)
      if (next === 0x2c) {
        position++
        if (container === openBrace) position = skipKey(text, skipSpace(text, position))
        if (position < 0) return unexpected(text, ~position)
        break
      }
      if (next !== (container === openBrace ? closeBrace : closeBracket)) {
        return unexpected(text, position)
      }
      open.pop()
      position++
    }
  }
}

/** The problem for an unexpected character at `offset`. */
export function unexpected(text: string, offset: number): SyntaxProblem {
  if (offset >= text.length) return { offset: text.length, message: 'the text ends too early' }
  return { offset, message: `unexpected ${JSON.stringify(text.charAt(offset))}` }
}

// The functions below return the position after what they skip, or the bitwise complement of the error's position.

function skipKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x22) return ~at
  const end = strictString(text, at)
  if (end < 0) return end
  const colon = skipSpace(text, end)
  return text.charCodeAt(colon) === 0x3a ? colon + 1 : ~colon
}

function strictString(text: string, at: number): number {
  for (let position = at + 1; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === 0x22) return position + 1
    if (code < 0x20) return ~position
    if (code !== 0x5c) continue
    position++
    if (position >= text.length) break
    const escaped = text.charAt(position)
    if (shortEscapes.includes(escaped)) continue
    if (escaped !== 'u') return ~position
    for (let digit = 0; digit < 4; digit++) {
      position++
      if (!/^[0-9a-f]$/i.test(text.charAt(position))) return ~position
    }
  }
  return ~text.length
}

function strictScalar(text: string, at: number): number {
  for (const word of ['true', 'false', 'null']) {
    if (text.charAt(at) !== word.charAt(0)) continue
    let end = at
    while (end - at < word.length && text.charAt(end) === word.charAt(end - at)) end++
    return end - at === word.length ? end : ~end
  }
  let position = text.charAt(at) === '-' ? at + 1 : at
  if (text.charAt(position) === '0') position++
  else {
    const end = skipDigits(text, position)
    if (end === position) return ~position
    position = end
  }
  if (text.charAt(position) === '.') {
    const end = skipDigits(text, position + 1)
    if (end === position + 1) return ~end
    position = end
  }
  if (/^[eE]$/.test(text.charAt(position))) {
    const digits = /^[+-]$/.test(text.charAt(position + 1)) ? position + 2 : position + 1
    const end = skipDigits(text, digits)
    if (end === digits) return ~end
    position = end
  }
  return position
}

function skipDigits(text: string, at: number): number {
  let position = at
  while (text.charCodeAt(position) >= 0x30 && text.charCodeAt(position) <= 0x39) position++
  return position
}
