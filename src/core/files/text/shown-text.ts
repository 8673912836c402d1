/**
 * Compares lines as tools show them with the lines themselves. Tools drop the carriage return of Windows line breaks and
 * cut very long lines.
 */

export function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

export function isSameLine(known: string, shown: string): boolean {
  return known === shown || withoutReturn(known) === withoutReturn(shown)
}

/** The known text when it has a carriage return, which tools do not show; else the shown text. */
export function mergedText(known: string, shown: string): string {
  return known === shown || known.endsWith('\r') ? known : shown
}

const shortestCut = 1000
const cutMark = /(?:\.\.\.|…)(?:\s*[[(](?:line )?truncated[^\])]*[\])])?$/

/** True for a line that may have been longer than its tool shows. */
export function isCutLine(shown: string): boolean {
  return shown.length >= shortestCut && cutMark.test(shown)
}

/** True for a line with a word, which is less likely to be repeated than a bracket or a blank line. */
export function hasWord(line: string): boolean {
  return /\w{3}/.test(line)
}
