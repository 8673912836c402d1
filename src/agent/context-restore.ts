import { countLines } from '../core/render/counts.ts'
import { shortLine } from '../core/render/digest/clean-lines.ts'
import { objectOf } from '../core/words/json.ts'
import { findItem, foldedLinesIn, handleIn } from './find-item.ts'
import { linePattern } from './line-pattern.ts'
import type { AgentSession } from './session.ts'

/** Finds the original of a handle outside the current conversation, such as in another branch or an earlier process. */
export type FindOriginal = (handle: string) => Promise<string | null> | string | null

const mostMatches = 200
const longestMatch = 1_000

/**
 * `context_restore`: returns the original, or the requested lines or matches, as a new tool result. Earlier messages do
 * not change.
 *
 * @example
 * await contextRestore(session, { handle: 'a1b2c3', lines: '40-80' })
 * await contextRestore(session, { handle: 'a1b2c3:40-80' })
 */
export async function contextRestore(
  session: Pick<AgentSession, 'history' | 'engine'>,
  input: unknown,
  elsewhere: FindOriginal = () => null,
): Promise<string> {
  const { handle, lines, grep } = objectOf(input)
  const named = typeof handle === 'string' ? handleIn(handle) : null
  if (named === null) return 'A handle is six or more hex digits, as in [context_restore a1b2c3].'
  const found = findItem(session, named)
  if (found.kind === 'ambiguous') return `${named} is ambiguous: ${found.handles.join(', ')}`
  const text =
    found.kind === 'found'
      ? found.item.text
      : (session.engine.find(named)?.text ?? (await elsewhere(named)))
  if (text === null) return `No item of this conversation has the handle ${named}.`
  const fold = typeof handle === 'string' ? foldedLinesIn(handle) : null
  const part = await partOf(text, lines ?? fold, grep)
  return part === '' ? '(empty)' : part
}

async function partOf(text: string, lines: unknown, grep: unknown): Promise<string> {
  const wantsLines = lines !== undefined && lines !== null && lines !== ''
  const wantsGrep = typeof grep === 'string' && grep !== ''
  if (!wantsLines && !wantsGrep) return text
  const total = countLines(text)
  const range = wantsLines ? rangeOf(lines, total) : { first: 1, last: total }
  if (range === null) return `lines is a range such as 40-80; there are ${total}.`
  const shown = text.split('\n').slice(range.first - 1, range.last)
  if (!wantsGrep) return shown.length === 0 ? `There are only ${total} lines.` : shown.join('\n')
  const pattern = await linePattern(grep)
  if (pattern.kind === 'refused') return pattern.why
  const found = shown.flatMap((line, at) =>
    pattern.matches(line) ? [`${range.first + at}: ${shortLine(line, longestMatch)}`] : [],
  )
  if (found.length === 0) return `No line matches ${grep}.`
  const rest = found.length - mostMatches
  const more = rest > 0 ? [`(${rest} more)`] : []
  return [...found.slice(0, mostMatches), ...more].join('\n')
}

/** `40-80`, `40:80`, `40`, `40-`, `[40, 80]`, counted from 1. */
function rangeOf(
  value: unknown,
  total: number,
): { readonly first: number; readonly last: number } | null {
  const text = Array.isArray(value) ? value.join('-') : String(value)
  const found = /^L?(\d+)\s*(?:([-–:,]|\.\.)\s*L?(\d+)?)?$/i.exec(text.trim())
  if (found === null) return null
  const first = Math.max(1, Number(found[1]))
  if (found[2] === undefined) return { first, last: first }
  const last = found[3] === undefined ? total : Number(found[3])
  return first <= last ? { first, last } : { first: Math.max(1, last), last: first }
}
