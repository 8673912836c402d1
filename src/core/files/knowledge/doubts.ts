import type { Snapshot } from './file-record.ts'

interface Doubt {
  readonly turn: number
  readonly doubt: number
}

interface Rumour extends Doubt {
  probed: { readonly turn: number; readonly outcome: 'same' | 'other' } | null
}

/** What puts all files in doubt at once. Each costs nothing: it is looked up when somebody asks about a file. */
export interface Doubts {
  /** Any file may have changed. */
  all(turn: number, doubt: number): void
  /** The user may have changed any file. One that is then read as it was known has not changed. */
  rumour(turn: number, doubt: number): void
  /**
   * A file was read again that the newest rumour put in doubt. The first one decides: when it is as it was known,
   * nobody was at work.
   */
  probe(file: Snapshot, turn: number, outcome: 'same' | 'other'): void
  /** What is known of a file in the light of the doubts up to a turn. */
  applied(snapshot: Snapshot, turn?: number): Snapshot
}

export function createDoubts(): Doubts {
  const doubts: Doubt[] = []
  const rumours: Rumour[] = []
  return {
    all: (turn, doubt) => void doubts.push({ turn, doubt }),
    rumour: (turn, doubt) => void rumours.push({ turn, doubt, probed: null }),
    probe(file, turn, outcome) {
      const rumour = rumours.at(-1)
      if (rumour?.doubt === file.doubt) rumour.probed ??= { turn, outcome }
    },
    applied(snapshot, turn = Number.POSITIVE_INFINITY) {
      if (doubts.length === 0 && rumours.length === 0) return snapshot
      const believed = rumours.findLast(
        ({ turn: told, probed }) =>
          told <= turn && (probed === null || probed.outcome === 'other' || probed.turn > turn),
      )
      const rumour = believed?.doubt ?? 0
      const since = Math.max(
        snapshot.doubt,
        newest(doubts, turn),
        rumour > snapshot.agreed ? rumour : 0,
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

/** Turns ascend, so that the newest one up to a turn is found from the end. */
function newest(doubts: readonly Doubt[], turn: number): number {
  return doubts.findLast((each) => each.turn <= turn)?.doubt ?? 0
}
