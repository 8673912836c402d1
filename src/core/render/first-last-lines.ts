import { cutEnd } from './cut.ts'
import { middleLines, type Recall, restoreHint } from './marks.ts'

const lineLimit = 1000

export interface FirstLastOptions {
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
