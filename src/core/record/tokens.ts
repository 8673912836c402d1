/**
 * Sizes in tokens without a vocabulary. The text is split where o200k splits it, and each piece is charged one token
 * plus what its characters make likely. The tables come from scripts/fit-estimator.mjs.
 */

import { KINDS, LETTER, NEWLINE, TAB } from './token-kinds.ts'
import {
  BEGINS,
  CONTRACTS,
  JOINS,
  LOWERED,
  OUTSIDE,
  REPEATS,
  STATE,
  STEPS,
  WEIGHED,
} from './token-pieces.ts'
import { ASCII_WEIGHTS } from './token-weights-ascii.ts'
import { FAR_WEIGHTS, NEAR_WEIGHTS } from './token-weights-wide.ts'

/** Costs are counted in twentieths of a token, so that all of it is arithmetic on small integers. */
const TOKEN = 20
/** Pieces from this length on may cost more for their length alone. */
const LONG = 17
const CARRIAGE_RETURN = 0x0d
const BLANK = 0x20
const LOWER_A = 0x61
const LOWER_Z = 0x7a
/** Seven bits of each of the last three characters. */
const CONTEXT = 0x1fffff
/** A multiplier that spreads small numbers over 32 bits, and another one. */
const SPREAD = 0x9e3779b1
const SPREAD_PAIRS = 0x85ebca6b

/**
 * The text is copied to here in stretches, with a few units around each to look at: reading a typed array is several
 * times faster than `charCodeAt`. Nothing in it outlives a call.
 */
const STRETCH = 4096
const BEHIND = 2
const AHEAD = 2
const units = new Uint16Array(BEHIND + STRETCH + AHEAD)
const bytes = Buffer.from(units.buffer)

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
 * everywhere. One pass, and no memory that grows with the text. Models differ; `createCalibration` corrects it for
 * each of them.
 *
 * ```ts
 * estimateTokens('The quick brown fox.') // 5
 * ```
 */
export function estimateTokens(text: string): number {
  const length = text.length
  if (length === 0) return 0
  let total = -TOKEN
  let cost = 0
  let context = 0
  let state = OUTSIDE
  let start = 0
  let first = 0
  for (let done = 0; done < length; done += STRETCH) {
    const origin = Math.max(0, done - BEHIND)
    load(text, origin)
    const end = Math.min(done + STRETCH, length) - origin
    let code = units[done - origin]!
    let kind = KINDS[code]!
    for (let at = done - origin; at < end; at++) {
      let nextCode = units[at + 1]!
      let nextKind = KINDS[nextCode]!
      let step = STEPS[(state << 8) | (kind << 4) | nextKind]!
      if ((step & CONTRACTS) !== 0 && isContraction(at)) {
        step = STEPS[(state << 8) | (LETTER << 4) | nextKind]!
      }
      state = step & STATE
      if ((step & BEGINS) !== 0) {
        const piece = origin + at - start
        total += TOKEN + (cost & ~(cost >> 31))
        if (piece >= LONG) total += longCost(first, piece)
        start = origin + at
        first = code
        context = code & 127
        cost = 0
      } else {
        context = ((context << 7) | (code & 127)) & CONTEXT
      }
      if ((step & WEIGHED) !== 0) {
        if (code < 128) cost += asciiCosts[Math.imul(context, SPREAD) >>> 18]!
        else cost += wideCost(at, origin + at - start)
      } else if ((step & JOINS) !== 0) {
        total -= TOKEN
      }
      if ((step & REPEATS) !== 0) {
        // Most of any text is the rest of a lower-case word, or indentation: a short way through the same rule.
        if (nextCode === BLANK) {
          while (at + 2 < end && units[at + 2] === BLANK) at++
        } else {
          while (nextCode >= LOWER_A && nextCode <= LOWER_Z && at + 1 < end) {
            at++
            state = LOWERED
            context = ((context << 7) | nextCode) & CONTEXT
            cost += asciiCosts[Math.imul(context, SPREAD) >>> 18]!
            nextCode = units[at + 1]!
          }
          nextKind = KINDS[nextCode]!
        }
      }
      code = nextCode
      kind = nextKind
    }
  }
  total += TOKEN + Math.max(0, cost) + longCost(first, length - start)
  return Math.round(total / TOKEN)
}

/** Puts a stretch of the text into `units`, and zeros after the end of the text. */
function load(text: string, origin: number): void {
  const loaded = bytes.write(text.substring(origin, origin + units.length), 'utf16le') >> 1
  for (let at = loaded; at < loaded + AHEAD && at < units.length; at++) units[at] = 0
}

/** What a long piece costs for its length alone: tokens of blanks end at some length, and no other is longer than 128. */
function longCost(first: number, length: number): number {
  if (first === CARRIAGE_RETURN) return (length >> 3) * TOKEN
  const kind = KINDS[first]!
  return (length >> (kind === NEWLINE || kind === TAB ? 4 : 7)) * TOKEN
}

/** English `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` and `'ll` stay with their word. */
function isContraction(apostrophe: number): boolean {
  const one = units[apostrophe + 1]! | 32
  if (one === 115 || one === 116 || one === 109 || one === 100) return true
  const two = units[apostrophe + 2]! | 32
  return (two === 101 && (one === 114 || one === 118)) || (one === 108 && two === 108)
}

/** Han, kana and Hangul by themselves and with the unit before; other scripts also with the one before that. */
function wideCost(at: number, inPiece: number): number {
  const code = units[at]!
  const before = inPiece > 0 ? units[at - 1]! : 0
  const pair = Math.imul(before, 0x10dcd) ^ code
  const cost =
    nearCosts[Math.imul(code, SPREAD) >>> 19]! + farCosts[Math.imul(pair, SPREAD_PAIRS) >>> 18]!
  if (code >= 0x2e80) return cost
  const beforeThat = inPiece > 1 ? units[at - 2]! : 0
  const triple = Math.imul(beforeThat, 0x3c6ef) ^ pair
  return cost + farCosts[Math.imul(triple, SPREAD_PAIRS) >>> 18]!
}
