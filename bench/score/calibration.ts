import { needsOf } from './needs.ts'
import { plantSession } from './planted/planted-session.ts'
import type { TracedSession } from './session.ts'
import { benchSession } from './sources.ts'
import type { Table } from './tables.ts'

type NeedClass = 'E1' | 'E2'

export interface Accuracy {
  /** Number of planted needs. */
  readonly planted: number
  readonly precision: number
  readonly recall: number
}

const seeds = [3, 14, 159, 2_653, 58_979, 323_846]

const classes: readonly NeedClass[] = ['E1', 'E2']

/** Sessions whose needs are known, and what the scorer finds in them. */
export function plantedAccuracy(): {
  readonly sessions: readonly TracedSession[]
  readonly accuracy: Readonly<Record<NeedClass, Accuracy>>
} {
  const sessions: TracedSession[] = []
  const counts = { E1: { planted: 0, found: 0, right: 0 }, E2: { planted: 0, found: 0, right: 0 } }
  for (const seed of seeds) {
    const { recording, needs: known } = plantSession({ seed, steps: 120 })
    const name = `planted ${seed}`
    const { unpruned, needs } = benchSession({ name, file: name, ordinal: 0, recording })
    sessions.push(unpruned)
    for (const kind of classes) {
      const keys = new Set(
        known.filter((need) => need.class === kind).map(({ n, text }) => `${n} ${text}`),
      )
      const found = needs.needs.filter((need) => need.class === kind)
      const count = counts[kind]
      count.planted += keys.size
      count.found += found.length
      count.right += found.filter(({ n, spans }) => keys.has(`${n} ${spans[0]?.text}`)).length
    }
  }
  const accuracyOf = ({ planted, found, right }: (typeof counts)['E1']): Accuracy => ({
    planted,
    precision: right / found,
    recall: right / planted,
  })
  return { sessions, accuracy: { E1: accuracyOf(counts.E1), E2: accuracyOf(counts.E2) } }
}

export interface Chance {
  readonly candidates: number
  readonly share: number
}

/** The share of anchors and identifiers that are found by chance in an unrelated session. */
export function foundElsewhere(
  sessions: readonly TracedSession[],
): Readonly<Record<NeedClass, Chance>> {
  const found = { E1: 0, E2: 0 }
  const candidates = { E1: 0, E2: 0 }
  for (const [index, session] of sessions.entries()) {
    const within = sessions[(index + 1) % sessions.length] as TracedSession
    const { needs, candidates: all } = needsOf(session, { within })
    for (const need of needs) found[need.class]++
    for (const kind of classes) candidates[kind] += all[kind]
  }
  const chance = (kind: NeedClass): Chance => ({
    candidates: candidates[kind],
    share: found[kind] / Math.max(1, candidates[kind]),
  })
  return { E1: chance('E1'), E2: chance('E2') }
}

/** One session of each repository, so that neighbours have nothing in common. */
export function isFirstOfRepository(): (name: string) => boolean {
  const repositories = new Set<string>()
  return (name) => {
    const repository = name.split(/[-_][\da-f]{6}|[-_]ses|__/)[0] ?? name
    if (repositories.has(repository)) return false
    repositories.add(repository)
    return true
  }
}

/** The accuracy of the scorer: in sessions with known needs, and in unrelated recordings. */
export function calibrationTable(recorded: readonly TracedSession[]): Table {
  const { sessions, accuracy } = plantedAccuracy()
  const unrelated = recorded.length > 1 ? recorded : sessions
  const elsewhere = foundElsewhere(unrelated)
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
  return [
    ['class', 'planted', 'precision', 'recall', 'looked up in an unrelated session', 'found there'],
    ...classes.map((kind) => [
      ...[kind, String(accuracy[kind].planted)],
      ...[percent(accuracy[kind].precision), percent(accuracy[kind].recall)],
      ...[String(elsewhere[kind].candidates), percent(elsewhere[kind].share)],
    ]),
  ]
}
