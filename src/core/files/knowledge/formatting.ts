import type { FormatReport } from '../../words/reading.ts'
import { applyHunks } from './apply-patch.ts'
import type { ChangedFiles, FileTable } from './file-table.ts'

/**
 * Applies a formatter's run over what the agent wrote since the last run. A file with a known diff gets that diff, and a
 * file that the report does not name stays as it is. In all others, the written lines are in doubt.
 */
export function formatterRan(table: FileTable, report: FormatReport | null): void {
  const { unformatted, formatterDiffs, changing } = table
  const rewritten = report?.rewritten?.map(pathEnding)
  const doubtful: ChangedFiles = new Map()
  for (const [path, since] of unformatted) {
    if (changing !== null && !changing.has(path)) continue
    if (rewritten?.some((ending) => hasEnding(path, ending)) === false) continue
    const diff = formatterDiffs.get(path)
    if (diff !== undefined && diff.version === table.recorded(path).number) {
      table.recordUnshown(path, applyHunks(table.known(path), diff.hunks, table.moment()))
    } else doubtful.set(path, since)
  }
  table.doubtWritten(doubtful)
  unformatted.clear()
  formatterDiffs.clear()
}

/** Applies a formatter's check: files without a fault will not be changed by it. */
export function formatterChecked(table: FileTable, { faults, complete }: FormatReport): void {
  const { unformatted, unreviewed, wellFormatted, formatterDiffs } = table
  formatterDiffs.clear()
  const paths = [...new Set([...unformatted.keys(), ...unreviewed.keys()])]
  const reported = faults.map((fault) => ({ ...fault, path: pathEnding(fault.path) }))
  for (const path of paths) {
    const named = reported.filter((fault) => hasEnding(path, fault.path))
    if (named.length === 0) {
      if (!complete) continue
      const since = Math.min(unformatted.get(path) ?? Infinity, unreviewed.get(path) ?? Infinity)
      wellFormatted.set(path, Math.min(since, wellFormatted.get(path) ?? Infinity))
      unformatted.delete(path)
      unreviewed.delete(path)
      continue
    }
    const hunks = named.length === 1 ? (named[0]?.hunks ?? null) : null
    const matching = paths.filter((each) => named.some((fault) => hasEnding(each, fault.path)))
    if (hunks === null || matching.length > 1) continue
    formatterDiffs.set(path, { hunks, version: table.recorded(path).number })
  }
}

/** A path relative to any folder as the ending of a full path: with `/`, and without leading `./` and `../`. */
export function pathEnding(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, '')
}

/** True when a path ends with whole segments of another. */
function hasEnding(path: string, ending: string): boolean {
  return (
    path.endsWith(ending) && (path.length === ending.length || path.at(-1 - ending.length) === '/')
  )
}

/** The path of the only known file with this ending; null when there are none or several. */
export function onlyPathEnding(table: FileTable, ending: string): string | null {
  if (table.files.has(ending)) return ending
  const sameName = table.pathsNamed(ending.slice(ending.lastIndexOf('/') + 1))
  const paths = sameName.filter((path) => hasEnding(path, ending))
  return paths.length === 1 ? (paths[0] as string) : null
}
