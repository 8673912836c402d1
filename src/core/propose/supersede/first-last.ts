import { firstFreeRequest, isProtected } from '../../guard/protection-window.ts'
import { rereadPointer } from '../../render/index.ts'
import { isHandleLine } from '../../render/marks.ts'
import { pathAsWritten } from '../../render/path-as-written.ts'
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
 * others become pointers. Samples move as reads are added, so a pointer becomes full again when it is one. Where sent bytes
 * may not change, the nearest full read takes its place. Edits stay, and so does a read of lines that neither the first nor
 * the last read shows.
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
 * Which of n reads stay in full, as positions from 0: the first and the last, and from six reads on samples between them,
 * one for every four reads and `maximum` in all. Each sample is the middle of an equal share of the reads between.
 */
export function readsToKeep(count: number, maximum: number): ReadonlySet<number> {
  const kept = new Set([0, count - 1])
  if (count < 6) return kept
  const middle = count - 2
  const samples = Math.min(Math.floor(middle / 4), Math.max(0, maximum - 2))
  for (let sample = 0; sample < samples; sample++) {
    kept.add(1 + Math.floor(((2 * sample + 1) * middle) / (2 * samples)))
  }
  return kept
}

function nearestTo(sample: number, positions: readonly number[]): number | undefined {
  let nearest: number | undefined
  for (const position of positions) {
    const isNearer = Math.abs(position - sample) < Math.abs((nearest ?? Infinity) - sample)
    if (isNearer) nearest = position
  }
  return nearest
}

/** The reads that stay in full: the samples, shown again where they are pointers, or the nearest full reads. */
function* keptReads(file: ReadFile, view: View): Proposals<ReadonlySet<number>> {
  const { reads } = file
  const kept = new Set<number>()
  const missing: number[] = []
  for (const position of readsToKeep(reads.length, view.settings.history.maxFileReads)) {
    if (file.full.includes(position) || (yield* showAgain(file, position, view))) kept.add(position)
    else missing.push(position)
  }
  for (const position of missing) {
    const nearest = nearestTo(
      position,
      file.full.filter((each) => !kept.has(each)),
    )
    if (nearest !== undefined) kept.add(nearest)
  }
  return kept
}

function* showAgain(file: ReadFile, position: number, view: View): Proposals<boolean> {
  const item = view.operationOf((file.reads[position] as FileRead).call)?.result
  const standing = item == null ? undefined : view.decisions.of(item.index)
  if (item == null || standing?.rendition.how !== 'pointer' || standing.strategy !== 'files')
    return false
  if ((yield { kind: 'show-again', item }) !== 'decided') return false
  file.full = [...file.full, position].sort((a, b) => a - b)
  return true
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
  const kept = yield* keptReads(file, view)
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
  if (read === undefined || result == null || target == null) return
  const recall = { handle: result.handle, restore: view.restore }
  const path = pathAsWritten(file.path, read.call.text)
  const text = rereadPointer(path, result.text, recall)
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
