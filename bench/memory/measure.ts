import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInMemoryLog } from '../../src/memory/log/memory-log.ts'
import { Memory } from '../../src/memory/memory.ts'

/** One line of the table: a measurement, its result, and whether it reaches the goal. */
export interface Measure {
  readonly name: string
  readonly value: string
  readonly goal: string
  readonly reached: boolean
}

/** A file of the labelled data; undefined when it is absent. */
export function readData(file: string): string | undefined {
  const found = path.join('..', 'shared', 'memory-bench', file)
  return existsSync(found) ? readFileSync(found, 'utf8') : undefined
}

export function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}

/** A new memory for one case, with a clock that advances only when it is read. */
export function freshMemory(): Memory {
  let clock = Date.UTC(2026, 0, 1)
  let count = 0
  return new Memory({
    log: createInMemoryLog(),
    now: () => clock++,
    newId: (kind) => `${kind}_${++count}`,
  })
}

/** Random numbers that are the same in every run. */
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
