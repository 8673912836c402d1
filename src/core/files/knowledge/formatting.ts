import type { FormatReport } from '../../words/reading.ts'
import { applyHunks } from './apply-patch.ts'
import type { ChangedFiles, FileTable } from './file-table.ts'

/**
 * A formatter ran over what the agent wrote since the last one. Of a file that a look before had shown at fault the
 * outcome is known; of those that are not among the rewritten ones too. In the others, what was written is in doubt.
 */
export function formatterRan(table: FileTable, report: FormatReport | null): void {
  const { unformatted, foretold, changing } = table
  const rewritten = report?.rewritten?.map(spelledPath)
  const doubtful: ChangedFiles = new Map()
  for (const [path, since] of unformatted) {
    if (changing !== null && !changing.has(path)) continue
    if (rewritten?.some((ending) => isNamed(path, ending)) === false) continue
    const known = foretold.get(path)
    if (known !== undefined && known.version === table.own(path).number) {
      table.notice(path, applyHunks(table.known(path), known.hunks, table.moment()))
    } else doubtful.set(path, since)
  }
  table.loosen(doubtful)
  unformatted.clear()
  foretold.clear()
}

/** A formatter looked: where it found no fault, it will leave everything as it is. */
export function formatterSaid(table: FileTable, { faults, complete }: FormatReport): void {
  const { unformatted, unreviewed, faultless, foretold } = table
  foretold.clear()
  const paths = [...new Set([...unformatted.keys(), ...unreviewed.keys()])]
  const spelled = faults.map((fault) => ({ ...fault, path: spelledPath(fault.path) }))
  for (const path of paths) {
    const named = spelled.filter((fault) => isNamed(path, fault.path))
    if (named.length === 0) {
      if (!complete) continue
      const since = Math.min(unformatted.get(path) ?? Infinity, unreviewed.get(path) ?? Infinity)
      faultless.set(path, Math.min(since, faultless.get(path) ?? Infinity))
      unformatted.delete(path)
      unreviewed.delete(path)
      continue
    }
    const hunks = named.length === 1 ? (named[0]?.hunks ?? null) : null
    const alone = paths.filter((each) => named.some((fault) => isNamed(each, fault.path)))
    if (hunks === null || alone.length > 1) continue
    foretold.set(path, { hunks, version: table.own(path).number })
  }
}

/** The end of a path that a tool spells from wherever it runs. */
export function spelledPath(spelled: string): string {
  return spelled.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, '')
}

/** True when a path that ends so may be that of the file. */
export function isNamed(path: string, ending: string): boolean {
  return (
    path.endsWith(ending) && (path.length === ending.length || path.at(-1 - ending.length) === '/')
  )
}

/** The only known file whose path ends so. */
export function pathOf(table: FileTable, ending: string): string | null {
  if (table.files.has(ending)) return ending
  const alike = table.named(ending.slice(ending.lastIndexOf('/') + 1))
  const paths = alike.filter((path) => isNamed(path, ending))
  return paths.length === 1 ? (paths[0] as string) : null
}
