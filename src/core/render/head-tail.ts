import { withoutTrailing } from '../words/text.ts'
import { countLines } from './counts.ts'
import { boundaryAfter, boundaryBefore, cutEnd } from './cut.ts'
import { failureLines } from './failure-lines.ts'
import { middleLines, type Recall, restoreHint, truncated } from './marks.ts'

export interface HeadTailOptions {
  /** Texts of up to this many characters stay whole, and longer ones are cut to it. */
  readonly limit: number
  /** The number of characters that stay at each end, if the limit allows. */
  readonly keep: number
  /** True to keep lines that report failures as well. */
  readonly failureLines: boolean
  /** How to restore the original. */
  readonly recall?: Recall
  /** The command whose output it is, which stands above it. */
  readonly command?: string | undefined
}

const mostFailureLines = 40
const longestFailureLine = 240
const heading = 'Lines of it that report failures:'

/**
 * The beginning and end of a long text, with its size and its failure lines between them. The text itself when it is
 * within the limit, or when the result would not be shorter.
 *
 * ```text
 * $ npm test
 *
 * [first 2000 characters]
 *
 * ... [truncated: 45,231 chars total, 342 lines] ... [context_restore a1b2c3]
 * Lines of it that report failures:
 * FAIL src/app.test.ts > adds
 * AssertionError: expected 1 to be 2
 *
 * [last 2000 characters]
 * ```
 */
export function headAndTail(text: string, options: HeadTailOptions): string {
  const { limit } = options
  if (text.length <= limit) return text
  const hint = options.recall === undefined ? null : restoreHint(options.recall)
  const marker = truncated.write(text.length, countLines(text), hint)
  const prompt = promptOf(options.command)
  const used = marker.length + prompt.length + 4
  const keep = Math.max(0, Math.min(options.keep, Math.floor((limit - used) * 0.45)))
  const headEnd = endOfHead(text, keep)
  const tailStart = startOfTail(text, keep)
  if (headEnd >= tailStart) return text
  const head = withoutTrailing(text.slice(0, headEnd), '\n')
  const tail = text.slice(tailStart)
  const ends = head.length + tail.length + used
  const room = Math.min(keep, limit - ends - heading.length - 2)
  const failures = options.failureLines ? failuresWithin(text.slice(headEnd, tailStart), room) : []
  const between = failures.length === 0 ? [marker] : [marker, heading, ...failures]
  const shown = [prompt, head, between.join('\n'), tail].filter((part) => part !== '').join('\n\n')
  return shown.length < text.length ? shown : text
}

const longestCommand = 200

/** The first line of a command, as a terminal shows it. */
function promptOf(command: string | undefined): string {
  const [line = ''] = command?.trim().split('\n') ?? []
  return line === '' ? '' : `$ ${cutEnd(line, longestCommand)}`
}

function failuresWithin(middle: string, characters: number): readonly string[] {
  if (characters < 40) return []
  const line = Math.min(longestFailureLine, characters >> 1)
  return failureLines(middle, { lines: mostFailureLines, characters, line })
}

/** The number of additional characters that may stay to reach the end of a line. */
function slackOf(keep: number): number {
  return Math.floor(keep / 10)
}

function endOfHead(text: string, keep: number): number {
  const lineEnd = text.indexOf('\n', keep)
  if (lineEnd !== -1 && lineEnd <= keep + slackOf(keep)) return lineEnd + 1
  return boundaryBefore(text, Math.min(keep, text.length))
}

function startOfTail(text: string, keep: number): number {
  const start = Math.max(0, text.length - keep)
  const lineEnd = start === 0 ? -1 : text.lastIndexOf('\n', start - 1)
  if (lineEnd !== -1 && lineEnd >= start - slackOf(keep)) return lineEnd + 1
  return boundaryAfter(text, start)
}

const lineLimit = 1000

interface FirstLastOptions {
  /** The number of lines that stay at each end. */
  readonly keep: number
  readonly recall: Recall
}

/** The first and last lines of a text, with the number of lines between them; the text itself when that is not shorter. */
export function firstAndLastLines(text: string, { keep, recall }: FirstLastOptions): string {
  const lines = text.trimEnd().split('\n')
  if (lines.length <= 2 * keep + 1) return text
  const shown = [
    ...lines.slice(0, keep),
    middleLines.write(lines.length - 2 * keep, restoreHint(recall)),
    ...lines.slice(-keep),
  ]
  const cut = shown.map((line) => cutEnd(line, lineLimit)).join('\n')
  return cut.length < text.length ? cut : text
}
