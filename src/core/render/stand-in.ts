import { withoutNote } from './input-note.ts'
import { brief } from './placeholder.ts'

/** What agents themselves put in the place of a result that they cleared. */
const clearedByAgent = '[Old tool result content cleared]'
const longestStandIn = 400
const openingBracket = 0x5b

const handle = '[0-9a-f]{6,}'
/** The tool or the command that a door names before a handle; where there is none, the handle stands alone. */
export const recall: string = `(?:[^\\n·\\]]{1,300} )?${handle}`
const named = `(?:[\\w.-]*context_|palimpsest )?restore ${handle}`
const reasons = [...new Set(Object.values(brief)), 'same as at turn \\d+'].join('|')
const reread = 'Re-read of [^\\n]* - see earlier read for content\\] \\['
const media = '(?:[\\w.+-]+/[\\w.+…-]+|attachment)(?:, [~\\d,.]+ [KM]?B)?'
/** The lines that we write: what was there, why it is gone, and how to get it back, or less of that. */
const lines = [
  handle,
  `(?:[^\\n]*[ [])?${named}`,
  `(?:[^\\n]* · )?(?:${reasons}|failed: [^\\n]*) · ${recall}`,
  `[^\\n]* at turn \\d+ · ${recall}`,
  `${reread}${recall}`,
  `${media} (?:${handle}|· ${recall})`,
]
const handleLine = new RegExp(`^\\[(?:${lines.join('|')})\\]$`)

/**
 * True for a result that only says where something is: one that the agent cleared, or one line with a handle at its end,
 * in the words of our placeholders and pointers. Whoever wrote it, it shows nothing that could replace anything, and
 * nothing shorter says as much. The handle in it is not believed.
 */
export function isStandIn(text: string): boolean {
  // Asked of every result, and nearly none begins so.
  if (text.charCodeAt(0) !== openingBracket) return false
  return text === clearedByAgent || isHandleLine(text)
}

/** True for one line of ours with a handle at its end. */
export function isHandleLine(text: string): boolean {
  if (text.charCodeAt(0) !== openingBracket) return false
  const line = withoutNote(text)
  return line.length < longestStandIn && handleLine.test(line)
}
