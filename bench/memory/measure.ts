import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInMemoryLog } from '../../src/memory/log/memory-log.ts'
import { Memory } from '../../src/memory/memory.ts'

/** One line of the table: what was measured, what came out, and whether it reaches its goal. */
export interface Measure {
  readonly name: string
  readonly value: string
  readonly goal: string
  readonly reached: boolean
}

/** A file of the labelled data; undefined where the data is not there. */
export function readData(file: string): string | undefined {
  const found = path.join('..', 'shared', 'memory-bench', file)
  return existsSync(found) ? readFileSync(found, 'utf8') : undefined
}

export function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}

/** A memory of its own for one case, with a clock that only goes on when it is looked at. */
export function freshMemory(): Memory {
  let clock = Date.UTC(2026, 0, 1)
  let count = 0
  return new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
}

/** The same numbers in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
