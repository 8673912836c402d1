import type { Snapshot } from './file-record.ts'

interface Doubt {
  readonly turn: number
  readonly doubt: number
}

interface RefutableChange extends Doubt {
  checked: { readonly turn: number; readonly outcome: 'same' | 'other' } | null
}

/** Events after which any file may have changed. They are applied when a file is asked for. */
export interface PossibleChanges {
  add(turn: number, doubt: number): void
  /** A possible change that the next read can refute. */
  addRefutable(turn: number, doubt: number): void
  /**
   * Records the first read of a file after the newest refutable change. `same` refutes the change for all files.
   */
  check(file: Snapshot, turn: number, outcome: 'same' | 'other'): void
  /** The snapshot, in doubt where one of the possible changes up to a turn came after it. */
  applyTo(snapshot: Snapshot, turn?: number): Snapshot
}

export function createPossibleChanges(): PossibleChanges {
  const changes: Doubt[] = []
  const refutable: RefutableChange[] = []
  return {
    add: (turn, doubt) => void changes.push({ turn, doubt }),
    addRefutable: (turn, doubt) => void refutable.push({ turn, doubt, checked: null }),
    check(file, turn, outcome) {
      const latest = refutable.at(-1)
      if (latest?.doubt === file.doubt) latest.checked ??= { turn, outcome }
    },
    applyTo(snapshot, turn = Number.POSITIVE_INFINITY) {
      if (changes.length === 0 && refutable.length === 0) return snapshot
      const standing = refutable.findLast(
        ({ turn: since, checked }) =>
          since <= turn && (checked === null || checked.outcome === 'other' || checked.turn > turn),
      )
      const notRefuted = standing?.doubt ?? 0
      const since = Math.max(
        snapshot.doubt,
        newest(changes, turn),
        notRefuted > snapshot.agreed ? notRefuted : 0,
      )
      if (since === snapshot.doubt) return snapshot
      // A file that was gone may be back, and one that was there may be gone.
      return {
        ...snapshot,
        doubt: since,
        exists: snapshot.exists === false ? null : snapshot.exists,
      }
    },
  }
}

function newest(changes: readonly Doubt[], turn: number): number {
  return changes.findLast((each) => each.turn <= turn)?.doubt ?? 0
}
