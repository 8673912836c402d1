/** What agents themselves put in the place of a result that they cleared. */
const clearedByAgent = '[Old tool result content cleared]'
const longestStandIn = 400
const openingBracket = 0x5b

/**
 * True for a result that only says where something is: one that the agent cleared, or one line with a handle at its end,
 * as our placeholders have it. Whoever wrote it, it shows nothing that could replace anything, and nothing shorter says
 * as much. The handle in it is not believed.
 */
export function isStandIn(text: string): boolean {
  // Asked of every result, and nearly none begins so.
  if (text.charCodeAt(0) !== openingBracket) return false
  return text === clearedByAgent || isHandleLine(text)
}

/** True for one line with a handle at its end. */
export function isHandleLine(text: string): boolean {
  if (text.charCodeAt(0) !== openingBracket || text.length >= longestStandIn) return false
  return /^\[(?:[^\n]*[ [])?[0-9a-f]{6,}\]$/.test(text)
}
