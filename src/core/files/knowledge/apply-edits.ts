import type { LineRange, TextEdit } from '../../words/action.ts'
import {
  allLines,
  type Line,
  lineAt,
  linesBetween,
  spliceLines,
  withStamp,
} from '../text/line-list.ts'
import { allInDoubt, type Changed, replaceText } from '../text/replace-text.ts'
import { spliceFile, unplaceAfter } from '../text/splice.ts'
import {
  type FileVersion,
  type Knowledge,
  type Moment,
  neverCertain,
  relined,
  writtenLine,
  writtenVersion,
} from '../text/version.ts'

/** Applies the edits of one call in their order. An `undo` among several edits puts the whole file in doubt. */
export function applyEdits(
  knowledge: Knowledge,
  edits: readonly TextEdit[],
  moment: Moment,
): Changed {
  if (edits.length === 0) return allInDoubt(knowledge, moment)
  const [only] = edits
  if (only !== undefined && edits.length === 1) return applyEdit(knowledge, only, moment)
  let changed: Changed = { ...knowledge, written: [] }
  const written = []
  for (const edit of edits) {
    changed = applyEdit(changed, edit, moment)
    written.push(...changed.written)
  }
  return { ...changed, written }
}

function applyEdit(knowledge: Knowledge, edit: TextEdit, moment: Moment): Changed {
  switch (edit.kind) {
    case 'replace':
      return edit.oldText === ''
        ? writeText(knowledge, edit.newText, moment)
        : replaceText(knowledge, edit, moment)
    case 'insert':
      return insertLines(knowledge, edit.afterLine, edit.text, moment)
    case 'lines':
      return replaceLines(knowledge, edit.lines, edit.text, moment)
    case 'cell':
    case 'undo':
      return allInDoubt(knowledge, moment)
  }
}

/** Replaces the whole text, which is then known. */
export function writeText({ version, doubt }: Knowledge, text: string, moment: Moment): Changed {
  const after = writtenVersion(text, version, moment)
  return { version: after, doubt, written: after.runs.flatMap((run) => allLines(run.lines)) }
}

/** Adds a text at the end. When the end is not known, the added lines are not known either. */
export function appendText({ version, doubt }: Knowledge, text: string, moment: Moment): Changed {
  const last = version.runs.at(-1)
  const endIsKnown =
    version.count !== null &&
    !version.openEnding &&
    version.countStamp > doubt &&
    last !== undefined &&
    last.at !== null &&
    last.at + last.lines.length === version.count &&
    (lineAt(last.lines, last.lines.length - 1)?.stamp ?? 0) > doubt
  if (!endIsKnown) {
    // If the last line has no line break, the added text continues it.
    const doubted = withDoubtedEnd({ version, doubt })
    return { version: { ...doubted, count: null, openEnding: false }, doubt, written: [] }
  }
  const at = (version.count as number) - 1
  const before = linesBetween(last.lines, last.lines.length - 1, last.lines.length)
  const joined = (before[0]?.text ?? '') + text
  const lines = relined(before, joined.split('\n'), moment)
  const [open] = before
  if (open !== undefined && open.text !== '') moment.addSuccessor(open, lines[0] as Line)
  const after = spliceFile(version, at, 1, lines)
  return { version: { ...after, countStamp: moment.stamp }, doubt, written: lines }
}

/** Doubts each line that may be the last one of the file: the last certain one, and the last of each run without a place. */
function withDoubtedEnd({ version, doubt }: Knowledge): FileVersion {
  const lastPlaced = version.runs.findLastIndex(
    ({ at, lines }) => at !== null && allLines(lines).some((line) => line.stamp > doubt),
  )
  const runs = version.runs.map((run, index) => {
    if (run.at !== null && index !== lastPlaced) return run
    const last = allLines(run.lines).findLastIndex((line) => line.stamp > doubt)
    if (last === -1) return run
    const risky = linesBetween(run.lines, last, last + 1).map((line) =>
      withStamp(line, neverCertain),
    )
    return { ...run, lines: spliceLines(run.lines, last, 1, risky) }
  })
  return { ...version, runs }
}

function insertLines(
  { version, doubt }: Knowledge,
  afterLine: number,
  text: string,
  moment: Moment,
): Changed {
  const closed = text.endsWith('\n')
  const texts = (closed ? text.slice(0, -1) : text).split('\n')
  const lines = texts.map((each) => writtenLine(each, moment))
  const after = spliceFile(version, afterLine, 0, lines)
  // Tools disagree whether a last line break adds an empty line, so the place of what follows is not certain.
  return {
    version: closed ? unplaceAfter(after, afterLine + lines.length) : after,
    doubt,
    written: lines,
  }
}

function replaceLines(
  { version, doubt }: Knowledge,
  range: LineRange,
  text: string,
  moment: Moment,
): Changed {
  const at = range.start - 1
  const end = range.end ?? version.count ?? Number.MAX_SAFE_INTEGER
  const removed = Math.max(0, end - at)
  const before = version.runs.flatMap((run) =>
    run.at === null ? [] : linesBetween(run.lines, at - run.at, end - run.at),
  )
  const texts = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const lines = relined(before, texts, moment)
  const after = spliceFile(version, at, removed, lines)
  // Tools disagree whether an empty text means no line or one empty line.
  const clear = text !== '' && (range.end !== null || version.count !== null)
  return {
    version: clear ? after : unplaceAfter(spliceFile(version, at, removed, []), at),
    doubt,
    written: clear ? lines : [],
  }
}
