import { firstFreeRequest, isProtected } from '../../guard/protection-window.ts'
import { rereadPointer } from '../../render/index.ts'
import { isHandleLine } from '../../render/marks.ts'
import { isCovered, type Span } from '../../words/effects.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Settings } from '../../words/settings.ts'

import { createDueTurns } from '../due-turns.ts'
import type { Proposals, Strategy, View } from '../strategy.ts'
import { isHideable, succeeded } from './outcome.ts'

/** How many of the newest full reads of a file are checked again, besides the first one. */
const mostOpen = 64

interface FileRead {
  readonly call: CallItem
  readonly covers: Span | null
  readonly needs: Span
}

interface ReadFile {
  readonly path: string
  readonly reads: FileRead[]
  /** Positions among the reads that are still shown in full, the first and the last among them. */
  full: number[]
}

/**
 * Smart tool history: the first and the last read of a file stay, with samples between them when there are many; the
 * others become pointers, which never become full again. A read that would become a sample with the next read therefore
 * stays too, and where a sample is already a pointer, the nearest full read takes its place. Edits stay, and so does a read
 * of lines that neither the first nor the last read shows.
 *
 * Samples depend on the number of reads: the fifth of six reads is a pointer, the fifth of eight is the sample. Reads that
 * arrive one by one have the exact samples up to seven reads. A `maxFileReads` above five leaves room for reads that become
 * samples later; when it is as high as the number of reads, all samples are exact.
 */
export function firstLast(settings: Settings): Strategy {
  const files = new Map<string, ReadFile>()
  /** Files that were read since the last request, and files with a read that leaves the protected turns. */
  let touched: ReadFile[] = []
  const waiting = createDueTurns<ReadFile>()

  return {
    name: 'files',
    operation(operation, view) {
      const read = readOf(operation)
      if (read === null) return
      const file = files.get(read.path) ?? { path: read.path, reads: [], full: [] }
      files.set(read.path, file)
      file.full.push(file.reads.length)
      file.reads.push({ call: operation.call, covers: read.covers, needs: read.needs })
      touched.push(file)
      if (!isProtected(operation.turn, view.turn, settings)) return
      waiting.add(firstFreeRequest(operation.turn, settings), file)
    },
    *request(view) {
      const files = new Set([...waiting.take(view.turn), ...touched])
      touched = []
      for (const file of files) yield* thinOut(file, view)
    },
  }
}

function readOf(
  operation: Operation,
): { readonly path: string; readonly covers: Span | null; readonly needs: Span } | null {
  if (!succeeded(operation)) return null
  const { touches, isOnlyFiles } = operation.effects
  const [touch] = touches
  return isOnlyFiles && touches.length === 1 && touch?.kind === 'read' ? touch : null
}

/**
 * Which of n reads stay in full, as positions from 0: the first and the last, and from six reads on up to three samples
 * between them. `maximum` limits all of them together.
 */
export function readsToKeep(count: number, maximum: number): ReadonlySet<number> {
  const kept = new Set([0, count - 1])
  if (count < 6) return kept
  const middle = count - 2
  const samples = Math.min(3, Math.floor(middle / 4), Math.max(0, maximum - 2))
  for (let sample = 1; sample <= samples; sample++) {
    kept.add(1 + Math.floor((sample * middle) / (samples + 1)))
  }
  return kept
}

/** The first, the last and three samples. */
const mostNamed = 5

/** Which of the full reads stay, so that there are samples now and after later reads. */
export function fullReadsToKeep(
  full: readonly number[],
  count: number,
  maximum: number,
): ReadonlySet<number> {
  const between = full.filter((position) => position > 0 && position < count - 1)
  const kept = new Set(full.filter((position) => !between.includes(position)))
  const most = Math.max(2, maximum)
  let free: readonly number[] = between
  for (const sample of samplesOf(count, maximum)) {
    const nearest = nearestTo(sample, free)
    if (nearest === undefined) break
    kept.add(nearest)
    free = free.filter((position) => position !== nearest)
  }
  for (const sample of samplesOf(count + 1, maximum)) {
    const nearest = sample < count - 1 ? nearestTo(sample, between) : undefined
    if (nearest !== undefined && kept.size < most) kept.add(nearest)
  }
  const waiting = between
    .filter((position) => !kept.has(position) && nextCount(position, count) < Infinity)
    .sort((a, b) => nextCount(a, count) - nextCount(b, count))
  const room = Math.min(most - kept.size, most - mostNamed)
  for (const position of waiting.slice(0, Math.max(0, room))) kept.add(position)
  return kept
}

/** The next number of reads at which a read is a sample, or Infinity. */
export function nextCount(position: number, count: number): number {
  let next = Infinity
  for (let samples = 1; samples <= 3; samples++) {
    const fewest = Math.max(samples * 4, count - 1)
    const most = samples === 3 ? Infinity : samples * 4 + 3
    for (let sample = 1; sample <= samples; sample++) {
      // The numbers of reads between the ends whose sample, rounded down, is this read.
      const from = Math.ceil(((samples + 1) * (position - 1)) / sample)
      const to = Math.ceil(((samples + 1) * position) / sample) - 1
      const middle = Math.max(from, fewest)
      if (middle <= Math.min(to, most)) next = Math.min(next, middle + 2)
    }
  }
  return next
}

function samplesOf(count: number, maximum: number): readonly number[] {
  return [...readsToKeep(count, maximum)].filter((read) => read > 0 && read < count - 1)
}

function nearestTo(sample: number, positions: readonly number[]): number | undefined {
  let nearest: number | undefined
  for (const position of positions) {
    const isNearer = Math.abs(position - sample) < Math.abs((nearest ?? Infinity) - sample)
    if (isNearer) nearest = position
  }
  return nearest
}

function* thinOut(file: ReadFile, view: View): Proposals {
  const { reads } = file
  // In a history that arrived already pruned, the newest read may be a pointer; it was handled then.
  const newest = view.operationOf((reads.at(-1) as FileRead).call)?.result
  if (newest != null && isHandleLine(newest.text)) return
  const isThere = (position: number): boolean => {
    const result = view.operationOf((reads[position] as FileRead).call)?.result
    return result != null && isHideable(result, view)
  }
  const open = file.full.filter(isThere)
  file.full = open.length > mostOpen ? [...open.slice(0, 1), ...open.slice(-mostOpen)] : open
  const [first, last] = [file.full[0], file.full.at(-1)]
  if (first === undefined || last === undefined || first === last) return
  const kept = fullReadsToKeep(file.full, reads.length, view.settings.history.maxFileReads)
  const pointed = new Set<number>()
  for (const position of file.full) {
    if (position === first || position === last || kept.has(position)) continue
    const { call, needs } = reads[position] as FileRead
    if (isProtected(call.turn, view.turn, view.settings)) continue
    if ((reads[last] as FileRead).call.turn <= call.turn) continue
    const shown = [first, last].find((other) => {
      const read = reads[other] as FileRead
      return read.call.turn !== call.turn && isCovered(needs, read.covers)
    })
    if (shown === undefined) continue
    yield* point(file, position, shown, view)
    pointed.add(position)
  }
  file.full = file.full.filter((position) => !pointed.has(position))
}

function* point(file: ReadFile, position: number, shown: number, view: View): Proposals {
  const [read, other] = [file.reads[position], file.reads[shown]]
  const result = read && view.operationOf(read.call)?.result
  const target = other && view.operationOf(other.call)?.result
  if (result == null || target == null) return
  const recall = { handle: result.handle, restore: view.restore }
  const text = rereadPointer(file.path, result.text, recall)
  if (text === null) return
  yield {
    kind: 'show',
    item: result,
    rendition: { how: 'pointer', text },
    reason: 'file',
    strategy: 'files',
    by: target,
  }
}
