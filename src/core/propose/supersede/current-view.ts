import type { FileState } from '../../files/index.ts'
import { pointerTo } from '../../render/index.ts'
import type { Action, FilePatch, TextEdit } from '../../words/action.ts'
import { runsGit } from '../../words/git-verbs.ts'
import type { Item } from '../../words/item.ts'
import { type Operation, outputOf } from '../../words/operation.ts'
import type { Proposals, Strategy, View } from '../strategy.ts'
import { type Holder, holderOf, isOutsideProtectedTurns } from './file-holder.ts'
import { forFile } from './hide-read.ts'
import { HoldersByPath } from './holders-by-path.ts'
import { earlierReadOf, LinePlaces, type Stretch } from './line-places.ts'
import { succeeded } from './outcome.ts'
import { partialReread } from './partial-reread.ts'
import { RenewedViews } from './renewed-views.ts'

/**
 * A read and the edits after it become one view of the current file, in place of the newest read, so that the agent can go
 * on editing without reading again. A view shows every line that the replaced items showed and that is still in the file,
 * in whole or in part. Where the file's text is not certain, nothing is done.
 * A read of unchanged lines that are still shown becomes a pointer to them.
 */
export class CurrentView implements Strategy {
  readonly name: string = 'files'
  readonly #places = new LinePlaces()
  readonly #holders = new HoldersByPath(this.#places)
  readonly #views = new RenewedViews(this.#holders)
  /** Files whose view may have to be made or renewed. */
  readonly #touched = new Set<string>();

  *operation(operation: Operation, view: View): Proposals {
    if (!succeeded(operation)) return
    this.#dropMoved(operation)
    yield* this.#takeBackRestored(operation, view)
    const isUndone = isUndo(operation)
    for (const path of operation.effects.named) {
      if (this.#holders.has(path)) this.#touched.add(path)
      if (isUndone) this.#views.undo(path)
    }
    if (operation.result !== null) yield* this.#hold(operation, 'read', operation.result, view)
    yield* this.#hold(operation, 'change', operation.call, view)
  }

  /** Views replace reads that were sent, so they are created only when sent bytes may change. */
  *epoch(view: View): Proposals {
    for (const path of this.#touched) yield* this.#views.renew(path, view)
    // Files whose items are too recent or may not change yet are checked again at the next epoch.
    for (const path of this.#touched) {
      const waits = this.#holders
        .of(path)
        .some((holder) => !isOutsideProtectedTurns(holder, view) || !view.mayChange(holder.item))
      if (!waits) this.#touched.delete(path)
    }
  }

  *#hold(operation: Operation, kind: Holder['kind'], item: Item, view: View): Proposals {
    const excerpts = view.files.shownBy(item.index)
    for (const { path } of excerpts) this.#touched.add(path)
    const [excerpt, ...others] = excerpts
    // An item that shows several files cannot be hidden for one of them.
    if (excerpt === undefined || others.length > 0) return
    const { path } = excerpt
    const holder = holderOf(operation, kind, item, excerpt)
    if (holder === null || !isOnlyFile(holder, path, view)) return
    if (kind === 'read') {
      const held = this.#holders.held(path, view)
      const stretches = this.#places.find(holder, held)
      const isShown = (stretch: Stretch): boolean => stretch.holder !== null
      const earlier = stretches.every(isShown) ? earlierReadOf(holder, stretches, held) : null
      if (earlier !== null && (yield* pointToEarlier(holder, earlier, view))) return
      if (stretches.some(isShown)) yield* showOnlyNew(holder, stretches, view)
    }
    // A placeholder shows no lines.
    if (view.isVisible(item)) this.#holders.add(path, holder, view)
  }

  /** Stops tracking moved files, which stay as they were shown. */
  #dropMoved(operation: Operation): void {
    for (const { kind, path: source } of operation.effects.changes) {
      if (kind !== 'move') continue
      for (const path of this.#holders.paths()) {
        if (path === source || path.startsWith(`${source}/`)) this.#holders.drop(path)
      }
    }
  }

  /** A command may have restored a text that a view replaced, so the originals are shown again. */
  *#takeBackRestored(operation: Operation, view: View): Proposals {
    if (!restoresFiles(operation.action)) return
    const { named } = operation.effects
    for (const path of named.length > 0 ? named : this.#holders.paths()) {
      for (const { item, saved } of this.#holders.held(path, view)) {
        if (saved !== 0) yield { kind: 'take-back', item }
      }
    }
  }
}

/** Points a read to an earlier one that shows all of its lines; false when that may not be. */
function* pointToEarlier(read: Holder, earlier: Holder, view: View): Proposals<boolean> {
  const { result } = read.operation
  if (result === null) return false
  const text = pointerTo(
    earlier.operation,
    { text: outputOf(read.operation), handle: result.handle, isFile: true },
    view.restore,
  )
  if (text === null) return false
  return (yield forFile(result, earlier.item, { how: 'pointer', text })) === 'decided'
}

/** Shows only the new lines of a read. */
function* showOnlyNew(read: Holder, stretches: readonly Stretch[], view: View): Proposals {
  const partial = partialReread(read, stretches, view.restore)
  if (partial === null) return
  const { text, lines, source } = partial
  const outcome = yield forFile(read.item, source?.item ?? null, { how: 'truncated', text })
  if (outcome === 'decided') read.lines = lines
}

/** True when the item contains nothing but lines of this file. */
function isOnlyFile({ kind, operation, lines }: Holder, path: string, view: View): boolean {
  if (kind === 'change') {
    return isSpelledOut(operation.action, lines, () => view.files.current(path))
  }
  // Diagnostics exist in no other item.
  return operation.reading?.injected.every((each) => each.kind !== 'diagnostics') === true
}

function isUndo({ action }: Operation): boolean {
  return action.kind === 'edit' && action.edits.some((edit) => edit.kind === 'undo')
}

const restoring = /\s(?:checkout|restore|reset|stash|revert)\b/

/**
 * True for a command that may restore an earlier text of the files that it names, or of any file when it names none.
 */
function restoresFiles(action: Action): boolean {
  return (
    action.kind === 'shell' &&
    action.changes.length > 0 &&
    action.changes.some(({ kind }) => kind === 'change' || kind === 'unknown') &&
    runsGit(action.command, restoring)
  )
}

/**
 * Whether the lines that a call is known to have written cover its whole input. When one of several edits could not be
 * tracked, its text is shown nowhere else, so the input must stay.
 */
function isSpelledOut(
  action: Action,
  written: Pick<ReadonlySet<number>, 'has'>,
  state: () => FileState,
): boolean {
  const parts = partsOf(action)
  if (parts === null) return false
  if (parts.length <= 1) return true
  const texts: string[] = []
  for (const segment of state().segments) {
    if (segment.kind === 'gap') continue
    for (const { id, text } of segment.lines) if (written.has(id)) texts.push(text)
  }
  const whole = new Set(texts.map((text) => text.trim()))
  return parts.every((part) =>
    part.split('\n').every((line) => {
      const plain = line.trim()
      return plain === '' || whole.has(plain) || texts.some((text) => text.includes(plain))
    }),
  )
}

/** The texts that an action puts into one file, one for each change; null when it is about more than one file. */
function partsOf(action: Action): readonly string[] | null {
  switch (action.kind) {
    case 'write':
      return [action.content]
    case 'edit':
      return action.edits.map(textOf)
    case 'patch':
      return partsOfPatch(action.files)
    case 'shell': {
      const [change, ...others] = action.changes
      if (change === undefined || others.length > 0) return null
      if (change.kind === 'patch') return partsOfPatch(change.files)
      return change.kind === 'write' ? [change.content] : null
    }
    default:
      return null
  }
}

function textOf(edit: TextEdit): string {
  switch (edit.kind) {
    case 'replace':
      return edit.newText
    case 'undo':
      return ''
    default:
      return edit.text
  }
}

function partsOfPatch(files: readonly FilePatch[]): readonly string[] | null {
  const [file, ...others] = files.filter(({ op }) => op !== 'delete')
  if (file === undefined || others.length > 0) return null
  if (file.op !== 'update') return file.op === 'add' ? [file.content] : null
  return file.hunks.map(({ lines }) =>
    lines
      .filter(({ sign }) => sign !== '-')
      .map(({ text }) => text)
      .join('\n'),
  )
}
