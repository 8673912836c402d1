import type { FileLines, ResultReading } from '../words/reading.ts'
import { fileView, type NewestChange, type Recall, restoreHint } from './marks.ts'
import { frameOf, type LineNumbering } from './read-frame.ts'

export interface FileView {
  /** As the agent wrote it. */
  readonly path: string
  /** The current lines to show, as ascending runs with gaps between them. */
  readonly runs: readonly FileLines[]
  /** The newest operation whose effect they have; null when it is the read itself. */
  readonly newest: NewestChange | null
  readonly recall: Recall
}

/**
 * The current lines of a file in place of an earlier read, in the frame and line numbering of that read. null when the
 * frame is not recognised, or when unnumbered lines would be ambiguous.
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
  // Without numbers, a line is identified only by its place.
  if (numbering === null && (view.runs.length > 1 || firstRun.first !== shown.first)) return null
  const body = view.runs.map((run) => numberLines(run, numbering)).join(fileView.gap)
  const note = fileView.write(view.path, view.newest, restoreHint(view.recall))
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
