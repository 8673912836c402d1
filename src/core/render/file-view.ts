import type { FileLines, ResultReading } from '../words/reading.ts'
import { shortPath } from './describe-operation.ts'
import { fileView, type Recall, restoreHint } from './marks.ts'
import { frameOf, type LineNumbering } from './read-frame.ts'

export interface FileView {
  readonly path: string
  /** The runs of lines to show, ascending, not touching each other, as the file is now. */
  readonly runs: readonly FileLines[]
  /** The turn of the newest change that they include. */
  readonly turn: number
  readonly recall: Recall
}

/**
 * A file's lines as they are now in the place of a read, in the frame and with the line numbers of that read. null when
 * the frame cannot be told from the lines, or when a gap could not be told from the file's own text.
 */
export function renderFileView(
  result: { readonly text: string; readonly reading: ResultReading },
  view: FileView,
): string | null {
  const shown = result.reading.lines
  const [firstRun] = view.runs
  if (shown === null || firstRun === undefined) return null
  const frame = frameOf(result.text, shown)
  if (frame === null) return null
  const { numbering } = frame
  // Without numbers nothing but the place of a line says which it is.
  if (numbering === null && (view.runs.length > 1 || firstRun.first !== shown.first)) return null
  const body = view.runs.map((run) => numberLines(run, numbering)).join(fileView.gap)
  const note = fileView.write(shortPath(view.path), view.turn, restoreHint(view.recall))
  return `${frame.before}${body}\n\n${note}${frame.after}`
}

/** Lines with their numbers, as the agent writes them. */
function numberLines({ first, lines }: FileLines, numbering: LineNumbering | null): string {
  if (numbering === null) return lines.join('\n')
  const { lead, pad, width, separator } = numbering
  return lines
    .map((line, index) => {
      const number = String(first + index).padStart(width, pad)
      return `${lead}${number}${separator}${line}`
    })
    .join('\n')
}
