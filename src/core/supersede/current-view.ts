import type { Item } from '../record/item.ts'
import { pointerTo, renderFileView, strippedInput } from '../render/index.ts'
import type { Settings } from '../settings.ts'
import type { Scene, Strategy } from '../strategy.ts'
import type { Operation } from '../track/operation.ts'
import { type CurrentLines, currentLines } from './current-lines.ts'
import { succeeded } from './outcome.ts'

/** An item that shows lines of one file, and is still in the page. */
interface Holder {
  readonly operation: Operation
  readonly kind: 'read' | 'change'
  /** The item that shows them: a read's result, a change's input. */
  readonly item: Item
  /** Identities of the lines that it shows, as it is shown now. */
  lines: ReadonlySet<number>
}

/** What a placeholder takes, about; it only has to tell a gain from none. */
const placeholderLength = 110

/**
 * A read and the edits after it become one view of the file as it is now, in the place of the newest read, so that the
 * agent can go on editing without reading again. Nothing that is current leaves the page: a view shows every line that any
 * of the items it replaces showed and that the file still has. Where the file's text is not certain, nothing is done.
 * A read of lines that are unchanged and still in the page points to them.
 */
export function currentView(settings: Settings): Strategy {
  const holdersByPath = new Map<string, Holder[]>()
  const touched = new Set<string>()

  function held(path: string, scene: Scene): Holder[] {
    const holders = (holdersByPath.get(path) ?? []).filter(({ item }) => isHolding(item, scene))
    holdersByPath.set(path, holders)
    return holders
  }

  /** Points a read to an earlier one that shows all of its lines; false when there is none. */
  function pointsBack(
    operation: Operation,
    path: string,
    lines: ReadonlySet<number>,
    scene: Scene,
  ): boolean {
    const { result } = operation
    if (result === null || lines.size === 0) return false
    const earlier = held(path, scene).findLast(
      (holder) =>
        holder.kind === 'read' &&
        holder.operation.turn < operation.turn &&
        containsAll(holder.lines, lines),
    )
    const text = earlier === undefined ? null : pointerTo(earlier.operation, result)
    if (earlier === undefined || text === null) return false
    const proposal = { item: result, by: earlier.item, reason: 'file', strategy: 'files' } as const
    return scene.propose({ ...proposal, rendition: { how: 'pointer', text } }) === 'decided'
  }

  function hold(operation: Operation, scene: Scene): void {
    for (const [kind, item] of [
      ['read', operation.result],
      ['change', operation.call],
    ] as const) {
      const showings = item === null ? [] : scene.files.shownBy(item.index)
      const [showing] = showings
      for (const { path } of showings) touched.add(path)
      // What shows several files cannot go for the sake of one.
      if (item === null || showing === undefined || showings.length > 1) continue
      const lines = new Set(showing.ids.filter((id) => id !== null))
      if (lines.size < showing.ids.length) continue
      if (kind === 'read' && pointsBack(operation, showing.path, lines, scene)) continue
      const holders = holdersByPath.get(showing.path) ?? []
      holdersByPath.set(showing.path, [...holders, { operation, kind, item, lines }])
    }
  }

  function renew(path: string, scene: Scene): void {
    const current = currentLines(scene.files.current(path))
    const holders = held(path, scene).filter(
      (holder) => !goesWithItsText(holder, path, current, scene),
    )
    const newest = holders.findLast((holder) => holder.kind === 'read')
    if (newest === undefined) return
    const replaceable = holders.filter(
      (holder) => holder !== newest && isReplaceable(holder, newest, scene, settings),
    )
    const covered = replaceable.filter((holder) => showsAll(newest, holder, current))
    replaceAll(covered, newest, scene)
    const certain = (holder: Holder): boolean => !some(holder.lines, current.isUncertain)
    const rest = replaceable.filter((holder) => !covered.includes(holder) && certain(holder))
    if (rest.length === 0 || !certain(newest) || !isFree(newest.operation, scene, settings)) return
    if (show(path, newest, rest, current, scene)) replaceAll(rest, newest, scene)
  }

  /** A read of which nothing is left in the file goes without a view: what changed it says what is there now. */
  function goesWithItsText(
    holder: Holder,
    path: string,
    current: CurrentLines,
    scene: Scene,
  ): boolean {
    if (holder.kind !== 'read' || holder.lines.size === 0) return false
    if (!isFree(holder.operation, scene, settings)) return false
    if (some(holder.lines, (id) => current.has(id) || current.isUncertain(id))) return false
    const after = holder.operation.call.index
    const last = scene.files
      .history(path)
      .findLast(({ kind, call }) => kind !== 'read' && call !== null && call > after)
    const call = last?.call ?? null
    const by = call === null ? undefined : scene.operationOf(scene.item(call))
    if (by === undefined || !succeeded(by)) return false
    scene.supersede(holder.operation, by, 'file', 'files')
    return !isHolding(holder.item, scene)
  }

  /** Shows the newest read as a view that holds the lines of all; false when that is not possible or saves nothing. */
  function show(
    path: string,
    newest: Holder,
    replaced: readonly Holder[],
    current: CurrentLines,
    scene: Scene,
  ): boolean {
    const { result, reading } = newest.operation
    const wanted = new Set(
      [newest, ...replaced].flatMap(({ lines }) => [...lines].filter((id) => current.has(id))),
    )
    const runs = current.runs(wanted)
    if (result === null || reading === null || runs === null || runs.length === 0) return false
    const turn = Math.max(newest.operation.turn, ...replaced.map(({ operation }) => operation.turn))
    const text = renderFileView(
      { text: result.text, reading },
      { path, runs, turn, handle: result.handle },
    )
    if (text === null) return false
    const before = [newest, ...replaced].reduce(
      (sum, holder) => sum + shownLength(holder, scene),
      0,
    )
    const after = replaced.reduce((sum, holder) => sum + leftLength(holder), text.length)
    if (after >= before) return false
    const by = replaced.at(-1)?.item ?? null
    const proposal = { item: result, by, reason: 'file', strategy: 'files' } as const
    if (scene.propose({ ...proposal, rendition: { how: 'view', text } }) !== 'decided') return false
    newest.lines = wanted
    return true
  }

  return {
    name: 'files',
    operation(operation, scene) {
      if (succeeded(operation)) hold(operation, scene)
    },
    request(scene) {
      for (const path of touched) renew(path, scene)
      // Files with changes that are too young to go are looked at again at the next request.
      for (const path of touched) {
        const waits = (holdersByPath.get(path) ?? []).some(
          ({ operation }) => !isFree(operation, scene, settings),
        )
        if (!waits) touched.delete(path)
      }
    },
  }
}

/** True while the item shows its lines: as it came, or as a view of ours. */
function isHolding(item: Item, scene: Scene): boolean {
  if (!scene.isVisible(item) || scene.ledger.isReverted(item.index)) return false
  const standing = scene.ledger.of(item.index)
  return standing === undefined || standing.rendition.how === 'view'
}

/** Old enough to be touched: neither of the turn that has just ended nor of a protected one. */
function isFree({ turn }: Operation, scene: Scene, settings: Settings): boolean {
  return turn + Math.max(1, settings.turnProtection) < scene.turn
}

function isReplaceable(holder: Holder, newest: Holder, scene: Scene, settings: Settings): boolean {
  const { turn } = newest.operation
  if (holder.kind === 'read' ? holder.operation.turn >= turn : holder.operation.turn === turn)
    return false
  return isFree(holder.operation, scene, settings)
}

/** Every line of the one that the file has, or may have, is shown by the other. */
function showsAll(newest: Holder, holder: Holder, current: CurrentLines): boolean {
  return !some(
    holder.lines,
    (id) => (current.has(id) || current.isUncertain(id)) && !newest.lines.has(id),
  )
}

function some(ids: ReadonlySet<number>, test: (id: number) => boolean): boolean {
  for (const id of ids) if (test(id)) return true
  return false
}

function replaceAll(replaced: readonly Holder[], newest: Holder, scene: Scene): void {
  for (const holder of replaced) {
    if (holder.kind === 'read') {
      scene.supersede(holder.operation, newest.operation, 'file', 'files')
      continue
    }
    const text = strippedInput(holder.operation)
    if (text === null) continue
    const proposal = {
      item: holder.item,
      by: newest.item,
      reason: 'input',
      strategy: 'files',
    } as const
    scene.propose({ ...proposal, rendition: { how: 'stripped', text } })
  }
}

function shownLength({ item }: Holder, scene: Scene): number {
  return scene.ledger.of(item.index)?.rendition.text?.length ?? item.text.length
}

function leftLength({ kind, operation, item }: Holder): number {
  if (kind === 'read') return Math.min(placeholderLength, item.text.length)
  return strippedInput(operation)?.length ?? item.text.length
}

function containsAll(lines: ReadonlySet<number>, wanted: ReadonlySet<number>): boolean {
  for (const id of wanted) if (!lines.has(id)) return false
  return true
}
