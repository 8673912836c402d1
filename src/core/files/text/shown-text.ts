/**
 * How a tool's showing of a line relates to the line itself. Tools drop the carriage return of Windows line breaks, and
 * cut very long lines.
 */

export function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

export function isSameLine(known: string, shown: string): boolean {
  return known === shown || withoutReturn(known) === withoutReturn(shown)
}

/** Of two showings of one line, the one that says more. */
export function mergedText(known: string, shown: string): string {
  return known === shown || known.endsWith('\r') ? known : shown
}

const shortestCut = 1000
const cutMark = /(?:\.\.\.|…)(?:\s*[[(](?:line )?truncated[^\])]*[\])])?$/

/** True for a line that may have been longer than its tool shows. */
export function isCutLine(shown: string): boolean {
  return shown.length >= shortestCut && cutMark.test(shown)
}

/** Asked of every read: nearly all lines are too short to look at. */
export function hasCutLine(lines: readonly string[]): boolean {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.length >= shortestCut && isCutLine(line)) return true
  }
  return false
}
