/** Files that were read about the same time, and how many of them were changed since. */
export interface Cohort {
  readonly turn: number
  readonly paths: Set<string>
  edited: number
}

export interface Cohorts {
  /** The cohort that is read at this turn, with these files in it. */
  join(paths: readonly string[], turn: number): Cohort
  changed(path: string): void
}

/** So many turns after its first read, a cohort takes no more files. */
const cohortTurns = 4

export function createCohorts(): Cohorts {
  const waiting = new Map<string, Cohort[]>()
  let newest: Cohort = { turn: Number.NEGATIVE_INFINITY, paths: new Set(), edited: 0 }
  return {
    join(paths, turn) {
      if (turn - newest.turn > cohortTurns) newest = { turn, paths: new Set(), edited: 0 }
      for (const path of paths) {
        if (newest.paths.has(path)) continue
        newest.paths.add(path)
        const cohorts = waiting.get(path)
        if (cohorts === undefined) waiting.set(path, [newest])
        else cohorts.push(newest)
      }
      return newest
    },
    changed(path) {
      for (const cohort of waiting.get(path) ?? []) cohort.edited++
      waiting.delete(path)
    },
  }
}

/** Of the other files of a cohort, the share that was changed. */
export function editedShare({ paths, edited }: Cohort, isOwnEdited: boolean): number {
  const others = paths.size - 1
  return others <= 0 ? 0 : Math.max(0, edited - (isOwnEdited ? 1 : 0)) / others
}
