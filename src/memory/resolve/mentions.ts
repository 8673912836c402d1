import { isNumber, type ValueKind } from '../understand/values.ts'
import type { Word } from '../understand/words.ts'
import { type HeldValue, root, type StoredSlot } from './stored-slot.ts'

/** Words of a message: `words[start..end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The text before a span, and the text after it. */
export function around(
  text: string,
  words: readonly Word[],
  { start, end }: Span,
): [string, string] {
  return [text.slice(0, words[start]!.start), text.slice(words[end - 1]!.end)]
}

/** Where a message names the main value; `Angular` names `Angular 15`. */
export function mainMentions(words: readonly Word[], { values }: StoredSlot): readonly Span[] {
  const [value] = values
  if (value === undefined) return []
  const whole = mentions(words, value)
  const name = /^(?<name>.*\p{L}.*)\s+v?\d[\d.]*$/u.exec(value.text)?.groups?.name
  const bare = name === undefined ? undefined : values.find(({ text }) => text === name)
  if (whole.length > 0) return whole
  if (bare !== undefined) return mentions(words, bare)
  // `ttyUSB0` names `/dev/ttyUSB0`.
  const file = value.kind === 'path' ? /[^/]+$/u.exec(value.text)?.[0].toLowerCase() : undefined
  const at = file === undefined ? -1 : words.findIndex(({ lower }) => lower === file)
  if (at >= 0) return [{ start: at, end: at + 1 }]
  const figure = contrastedFigure(words, value)
  if (figure !== undefined) return [figure]
  // `Node 16` names `Node 16 and up`.
  return values
    .slice(1)
    .filter(({ text, sort }) => sort !== undefined && /\d/.test(text) && value.text.includes(text))
    .flatMap((each) => mentions(words, each))
}

/** Where a message names a value of several words by one of them: `classes are out`, of `class components`. */
export function partialMentions(words: readonly Word[], { values }: StoredSlot): readonly Span[] {
  const [value] = values
  if (value === undefined || value.kind !== 'name' || value.stems.length < 2) return []
  if (value.sort !== undefined || /\d/.test(value.text)) return []
  return words.flatMap(({ lower }, start) =>
    lower.length >= 4 && value.stems.includes(root(lower)) ? [{ start, end: start + 1 }] : [],
  )
}

/** `1000 mm, not 800`: of a contrast, the old figure has no unit. */
function contrastedFigure(words: readonly Word[], { text, kind }: HeldValue): Span | undefined {
  const figure = kind === 'number' ? /^v?\d[\d.]*(?=\s\p{L})/u.exec(text)?.[0] : undefined
  if (figure === undefined) return undefined
  const at = words.findIndex(
    (word, index) =>
      word.text === figure && /^(?:not|from|of|than)$/.test(words[index - 1]?.lower ?? ''),
  )
  return at < 0 ? undefined : { start: at, end: at + 1 }
}

/** Where a message names a value of an item, with small typing errors allowed. */
export function mentions(words: readonly Word[], { stems, kind }: HeldValue): readonly Span[] {
  if (stems.length === 0) return []
  const found: Span[] = []
  for (let at = 0; at + stems.length <= words.length; at++)
    if (
      stems.every(
        (wanted, index) =>
          words[at + index]!.lower !== 'longer' &&
          !isCounted(words, at + index, kind) &&
          (kind === 'name' ? isSameWord : isEqual)(root(words[at + index]!.lower), wanted),
      )
    )
      found.push({ start: at, end: at + stems.length })
  return found
}

/** `Two weeks` does not name `weekly`. */
function isCounted(words: readonly Word[], at: number, kind: ValueKind): boolean {
  return kind === 'number' && !/\d/.test(words[at]!.text) && isNumber(words[at - 1]?.lower ?? '')
}

function isEqual(a: string, b: string): boolean {
  return a === b
}

/** Equal, of one family (`explaining`, `explanations`), or with one typing error in five letters or more. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b || a === `${b}s`) return true
  // Of `com.brook.mail` and `v2_beta` every character counts.
  if (/[^\p{L}'-]/u.test(a + b)) return false
  const longer = Math.max(a.length, b.length)
  let shared = 0
  while (shared < longer && a[shared] === b[shared]) shared++
  if (shared >= 5 && shared >= longer * 0.6) return true
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let last = 0
  while (last < Math.min(a.length, b.length) - from && a.at(-1 - last) === b.at(-1 - last)) last++
  const [left, right] = [a.slice(from, a.length - last), b.slice(from, b.length - last)]
  if (left.length + right.length === 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** How many words of the property a message contains. */
export function frameHits(words: readonly Word[], { frame }: StoredSlot): number {
  const stems = words.map(({ lower }) => root(lower))
  return [...frame].filter((wanted) => stems.some((found) => isSameWord(found, wanted))).length
}
