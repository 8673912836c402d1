import type { Contender } from './field.ts'
import type { ScoredPair } from './pool.ts'
import type { Table } from './tables.ts'

/** A fault's text without the numbers of requests and items. */
export function kindOfFault(fault: string): string {
  return fault
    .replace(/^request \d+: /, '')
    .replace(/ in item \d+/, '')
    .replaceAll(/\bitem \d+/g, 'an item')
    .replace(/\d+ requests instead of \d+/, 'another number of requests')
    .replace(/[\d.]+ % of the recording/, 'a part of the recording only')
}

export const userTextChanged = "the user's text was changed"

/** Each kind of fault per policy, its count, and whether the policy's document mentions it. Empty when there are no faults. */
export function faultTable(
  pairsOf: ReadonlyMap<string, readonly ScoredPair[]>,
  contenders: readonly Contender[],
): Table {
  const rows = contenders.flatMap(({ name, documentedFaults = {} }) => {
    const kinds = new Map<string, { faults: number; sessions: Set<string> }>()
    for (const { score } of pairsOf.get(name) ?? []) {
      for (const fault of score.faults) {
        const kind = kindOfFault(fault)
        const seen = kinds.get(kind) ?? { faults: 0, sessions: new Set() }
        seen.faults++
        seen.sessions.add(score.file)
        kinds.set(kind, seen)
      }
    }
    return [...kinds].map(([kind, { faults, sessions }]) => [
      ...[name, kind, String(faults), String(sessions.size)],
      documentedFaults[kind] ?? '-',
    ])
  })
  if (rows.length === 0) return []
  return [['policy', 'fault', 'times', 'sessions', 'what its document says'], ...rows]
}
