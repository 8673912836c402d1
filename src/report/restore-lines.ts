import type { RestoreTally } from '../core/session/restores.ts'

/**
 * Adds up the tallies of several sessions, the most restored kind first. Kinds of which nothing was restored are left
 * out.
 */
export function addRestores(tallies: Iterable<RestoreTally>): readonly RestoreTally[] {
  const sums = new Map<string, RestoreTally>()
  for (const { how, strategy, shown, restored } of tallies) {
    const key = `${how} ${strategy}`
    const sum = sums.get(key)
    sums.set(key, {
      how,
      strategy,
      shown: shown + (sum?.shown ?? 0),
      restored: restored + (sum?.restored ?? 0),
    })
  }
  return [...sums.values()]
    .filter(({ restored }) => restored > 0)
    .sort((a, b) => b.restored - a.restored)
}

/** One line for each kind of rendition that was restored. */
export function restoreLines(restores: readonly RestoreTally[]): readonly string[] {
  if (restores.length === 0) return []
  const lines = restores.map(({ how, strategy, shown, restored }) => {
    const share = ((100 * restored) / shown).toFixed(1)
    return `  ${how} (${strategy}): ${restored} of ${shown}, ${share} %`
  })
  return ['Restored:', ...lines]
}
