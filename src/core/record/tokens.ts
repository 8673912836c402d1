/**
 * Sizes in tokens without a vocabulary. The text is split where o200k splits it, and each piece is charged one token
 * plus what its characters make likely. The tables come from scripts/fit-estimator.mjs.
 */

import { END, KINDS, LETTER, LOWER, NEWLINE, TAB } from './token-kinds.ts'
import { BEGINS, JOINS, LOWERED, OUTSIDE, STATE, STEPS, WEIGHED, WORD } from './token-pieces.ts'
import { ASCII_WEIGHTS } from './token-weights-ascii.ts'
import { FAR_WEIGHTS, NEAR_WEIGHTS } from './token-weights-wide.ts'

/** Costs are counted in twentieths of a token, so that all of it is arithmetic on small integers. */
const TOKEN = 20
/** Pieces from this length on may cost more for their length alone. */
const LONG = 17
const CARRIAGE_RETURN = 0x0d
const BLANK = 0x20
const APOSTROPHE = 0x27
const LOWER_A = 0x61
const LOWER_Z = 0x7a
/** Seven bits of each of the last three characters. */
const CONTEXT = 0x1fffff
/** A multiplier that spreads small numbers over 32 bits, and another one. */
const SPREAD = 0x9e3779b1
const SPREAD_PAIRS = 0x85ebca6b

const asciiCosts = decodeCosts(ASCII_WEIGHTS)
const nearCosts = decodeCosts(NEAR_WEIGHTS)
const farCosts = decodeCosts(FAR_WEIGHTS)

/** Characters from `(` on, the backslash left out, stand for -43, -42, … */
function decodeCosts(encoded: string): Int8Array {
  const costs = new Int8Array(encoded.length)
  for (let index = 0; index < encoded.length; index++) {
    const code = encoded.charCodeAt(index)
    costs[index] = (code > 92 ? code - 1 : code) - 40 - 43
  }
  return costs
}

/**
 * How many tokens a model counts for the text, about: an integer, 0 for the empty string, the same for the same text
 * everywhere. One pass, no allocation. Models differ; `createCalibration` corrects it for each of them.
 *
 * ```ts
 * estimateTokens('The quick brown fox.') // 5
 * ```
 */
export function estimateTokens(text: string): number {
  const length = text.length
  if (length === 0) return 0
  const last = length - 1
  let total = -TOKEN
  let cost = 0
  let start = 0
  let context = 0
  let state = OUTSIDE
  let code = text.charCodeAt(0)
  let kind = KINDS[code]!
  for (let at = 0; at < length; at++) {
    let nextCode = 0
    let nextKind = END
    if (at < last) {
      nextCode = text.charCodeAt(at + 1)
      nextKind = KINDS[nextCode]!
    }
    if (code === APOSTROPHE && isContraction(text, at, state)) kind = LETTER
    const step = STEPS[(state << 8) | (kind << 4) | nextKind]!
    state = step & STATE
    if ((step & BEGINS) !== 0) {
      const piece = at - start
      total += TOKEN + (cost & ~(cost >> 31))
      if (piece >= LONG) total += longCost(text, start, piece)
      start = at
      context = code & 127
      cost = 0
    } else {
      context = ((context << 7) | (code & 127)) & CONTEXT
    }
    if ((step & WEIGHED) !== 0) {
      if (code < 128) cost += asciiCosts[Math.imul(context, SPREAD) >>> 18]!
      else cost += wideCost(text, start, at, code)
    } else if ((step & JOINS) !== 0) {
      total -= TOKEN
    }
    // Most of any text is the rest of a lower-case word, or indentation: a short way for both through the same rule.
    if (state === LOWERED && nextKind === LOWER) {
      while (nextCode >= LOWER_A && nextCode <= LOWER_Z) {
        at++
        context = ((context << 7) | nextCode) & CONTEXT
        cost += asciiCosts[Math.imul(context, SPREAD) >>> 18]!
        nextCode = at < last ? text.charCodeAt(at + 1) : 0
      }
      nextKind = at < last ? KINDS[nextCode]! : END
    } else if (code === BLANK && nextCode === BLANK) {
      while (at + 2 < length && text.charCodeAt(at + 2) === BLANK) at++
    }
    code = nextCode
    kind = nextKind
  }
  total += TOKEN + Math.max(0, cost) + longCost(text, start, length - start)
  return Math.round(total / TOKEN)
}

/** What a long piece costs for its length alone: tokens of blanks end at some length, and no other is longer than 128. */
function longCost(text: string, start: number, length: number): number {
  const code = text.charCodeAt(start)
  if (code === CARRIAGE_RETURN) return (length >> 3) * TOKEN
  const kind = KINDS[code]!
  return (length >> (kind === NEWLINE || kind === TAB ? 4 : 7)) * TOKEN
}

/** English `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` and `'ll` stay with their word. */
function isContraction(text: string, apostrophe: number, state: number): boolean {
  if (state !== WORD && state !== LOWERED) return false
  const first = text.charCodeAt(apostrophe + 1) | 32
  if (first === 115 || first === 116 || first === 109 || first === 100) return true
  const second = text.charCodeAt(apostrophe + 2) | 32
  return (second === 101 && (first === 114 || first === 118)) || (first === 108 && second === 108)
}

/** Han, kana and Hangul by themselves and with the unit before; other scripts also with the one before that. */
function wideCost(text: string, start: number, at: number, code: number): number {
  const before = at > start ? text.charCodeAt(at - 1) : 0
  const pair = Math.imul(before, 0x10dcd) ^ code
  const cost =
    nearCosts[Math.imul(code, SPREAD) >>> 19]! + farCosts[Math.imul(pair, SPREAD_PAIRS) >>> 18]!
  if (code >= 0x2e80) return cost
  const beforeThat = at - 1 > start ? text.charCodeAt(at - 2) : 0
  const triple = Math.imul(beforeThat, 0x3c6ef) ^ pair
  return cost + farCosts[Math.imul(triple, SPREAD_PAIRS) >>> 18]!
}
