/**
 * Where o200k begins a new piece, as a table: given what the scanner is in, what it stands on and what comes next. It
 * says the same as the tokenizer's own expression
 *
 *   [^\r\n\p{L}\p{N}]?[\p{Lu}…]*[\p{Ll}…]+('s|'t|…)? | … | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
 *
 * with one unit of lookahead. Contractions are left to the scanner.
 */

import {
  APOSTROPHE,
  DIGIT,
  END,
  LETTER,
  LOWER,
  NEWLINE,
  SLASH,
  SPACE,
  SYMBOL,
  TAB,
  UPPER,
} from './token-kinds.ts'

/** What the scanner is in. Of the words, `LOWERED` is one that has a lower-case letter and so ends before an upper one. */
export const OUTSIDE = 0
const WORD = 1
export const LOWERED = 2
/** The one blank or symbol that a word may have before it. */
const BEFORE_WORD = 3
const SYMBOLS = 4
/** The one space that symbols may have before them. */
const BEFORE_SYMBOLS = 5
/** The line breaks and slashes that symbols take along. */
const AFTER_SYMBOLS = 6
const FIRST_DIGIT = 7
const SECOND_DIGIT = 8
const THIRD_DIGIT = 9
const BLANKS = 10
const LINE_BREAK = 11
/** Blanks after a line break, which belong to its piece if another line break follows. */
const INDENT = 12
/** A word whose last letter has no case, with no lower-case one before: it goes on over `Ab`, and ends before `AB`. */
const CASELESS = 13

/** A step holds the next state in its low four bits, and flags. */
export const STATE = 15
export const BEGINS = 16
/** The piece before last and the last one turn out to be one. */
export const JOINS = 32
/** The piece costs more than one token if its characters are unusual; blanks and digits never do. */
export const WEIGHED = 64
/** Lower-case letters follow that go on with the piece, or more spaces after this one. */
export const REPEATS = 128
/** An apostrophe after a word, which goes on with it if it is a contraction. */
export const CONTRACTS = 256

const LAST_STATE = CASELESS
const LAST_KIND = APOSTROPHE

function isWord(kind: number): boolean {
  return kind === UPPER || kind === LOWER || kind === LETTER
}

function isSymbol(kind: number): boolean {
  return kind === SYMBOL || kind === SLASH || kind === APOSTROPHE
}

function isBlank(kind: number): boolean {
  return kind === SPACE || kind === TAB
}

function wordState(kind: number): number {
  if (kind === LETTER) return CASELESS
  return kind === LOWER ? LOWERED : WORD
}

/** The state of a piece that begins on this unit. */
function beginning(kind: number, next: number, state: number): number {
  if (isWord(kind)) return wordState(kind)
  if (kind === DIGIT) return FIRST_DIGIT
  if (kind === NEWLINE) return LINE_BREAK
  if (kind === END) return OUTSIDE
  if (isWord(next)) return BEFORE_WORD
  if (isSymbol(kind)) return SYMBOLS
  if (kind === SPACE && isSymbol(next)) return BEFORE_SYMBOLS
  return state === LINE_BREAK ? INDENT : BLANKS
}

/** The state of the piece that goes on over this unit, or null where it ends before it. */
function continuing(state: number, kind: number, next: number): number | null {
  switch (state) {
    case WORD:
    case BEFORE_WORD:
      return isWord(kind) ? wordState(kind) : null
    case CASELESS:
      return isWord(kind) && (kind !== UPPER || next === LOWER || next === LETTER)
        ? wordState(kind)
        : null
    case LOWERED:
      return kind === LOWER || kind === LETTER ? LOWERED : null
    case BEFORE_SYMBOLS:
    case SYMBOLS:
      if (isSymbol(kind)) return SYMBOLS
      return kind === NEWLINE ? AFTER_SYMBOLS : null
    case AFTER_SYMBOLS:
      return kind === NEWLINE || kind === SLASH ? AFTER_SYMBOLS : null
    case FIRST_DIGIT:
      return kind === DIGIT ? SECOND_DIGIT : null
    case SECOND_DIGIT:
      return kind === DIGIT ? THIRD_DIGIT : null
    case LINE_BREAK:
      return kind === NEWLINE ? LINE_BREAK : null
    case BLANKS:
    case INDENT:
      if (kind === NEWLINE) return LINE_BREAK
      return isBlank(kind) && (isBlank(next) || next === NEWLINE || next === END) ? state : null
    default:
      return null
  }
}

function isWeighed(state: number): boolean {
  return (state >= WORD && state <= AFTER_SYMBOLS) || state === CASELESS
}

function flagsOf(state: number, kind: number, next: number, to: number): number {
  let flags = 0
  if (state === INDENT && to === LINE_BREAK) flags |= JOINS
  if (isWeighed(to)) flags |= WEIGHED
  if (continuing(to, LOWER, next) === LOWERED && next === LOWER) flags |= REPEATS
  if (kind === SPACE && next === SPACE) flags |= REPEATS
  if (kind === APOSTROPHE && (state === WORD || state === LOWERED)) flags |= CONTRACTS
  return flags
}

function buildSteps(): Uint16Array {
  const steps = new Uint16Array((LAST_STATE + 1) << 8)
  for (let state = OUTSIDE; state <= LAST_STATE; state++) {
    for (let kind = SYMBOL; kind <= LAST_KIND; kind++) {
      for (let next = SYMBOL; next <= LAST_KIND; next++) {
        const same = continuing(state, kind, next)
        const to = same ?? beginning(kind, next, state)
        const begins = same === null ? BEGINS : 0
        steps[(state << 8) | (kind << 4) | next] = to | begins | flagsOf(state, kind, next, to)
      }
    }
  }
  return steps
}

/** The step at `state << 8 | kind << 4 | next kind`. */
export const STEPS: Uint16Array = buildSteps()
