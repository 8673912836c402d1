import type { Action, ShellChange } from '../../words/action.ts'
import type { Message } from '../../words/item.ts'

/** What an agent's notes on the working tree say when an answer begins. */
export interface TreeNews {
  /** Whether the tree is as the step before left it. */
  readonly between: 'same' | 'other' | 'unknown'
  /** Files that the step before changed, although no call of it says so; null: any file, the notes do not name them. */
  readonly unexplained: readonly string[] | null
}

/**
 * Follows the notes of agents that compare the working tree before and after each step. They tell what a command of
 * unknown effect changed, what others did meanwhile, and that a pause left everything as it was.
 */
export interface TreeNotes {
  /** Every answer, in order and before its operations. */
  answered(message: Message): TreeNews
  /** Every call that did something. */
  acted(action: Action): void
  /** True when the last step ended with a note that the next answer can be compared with. */
  readonly comparable: boolean
  /** The files that changed in the step that runs now; null when nobody noted them. */
  readonly changing: ReadonlySet<string> | null
}

export function createTreeNotes(): TreeNotes {
  let after: string | null = null
  let changing: ReadonlySet<string> | null = null
  /** Something changed, and the notes do not say what. */
  let changedSomething = false
  let own = new Set<string>()
  let ownUnknown = false
  /** Somebody else works in the same tree, and may change a file in the very step in which the agent does. */
  let shared = false

  return {
    answered(message) {
      const { tree } = message
      const unexplained = unexplainedFiles()
      const known = after !== null && tree !== undefined && tree.before !== null
      const between = known ? (tree.before === after ? 'same' : 'other') : 'unknown'
      after = tree?.after ?? null
      if (own.size > 0) own = new Set()
      ownUnknown = false
      const still = tree !== undefined && tree.before !== null && tree.before === tree.after
      changing = still ? new Set() : (tree?.changed ?? null) && new Set(tree?.changed)
      changedSomething = message.items.some(
        (item) => item.kind === 'marker' && item.marker === 'patch',
      )
      return { between, unexplained }
    },
    acted(action) {
      const paths = changedBy(action)
      if (paths === null) ownUnknown = true
      else for (const path of paths) own.add(path)
    },
    get comparable() {
      return after !== null
    },
    get changing() {
      return changing
    },
  }

  function unexplainedFiles(): readonly string[] | null {
    if (changing !== null) {
      const others = [...changing].filter((path) => !own.has(path))
      shared ||= others.length > 0 && !ownUnknown
      return shared ? [...changing] : others
    }
    return changedSomething && own.size === 0 && !ownUnknown ? null : noFiles
  }
}

const noFiles: readonly string[] = []

/** The files that a call says it changes; null when it may change others. */
function changedBy(action: Action): readonly string[] | null {
  switch (action.kind) {
    case 'write':
    case 'edit':
      return [action.path]
    case 'patch':
      return changedPaths({ kind: 'patch', files: action.files })
    case 'task':
      return null
    case 'shell':
      return action.changes.some((change) => change.kind === 'unknown')
        ? null
        : action.changes.flatMap(changedPaths)
    default:
      return noFiles
  }
}

/** The files that a change of a command leaves other than they were; none for `unknown`. */
export function changedPaths(change: ShellChange): readonly string[] {
  switch (change.kind) {
    case 'unknown':
      return []
    case 'patch':
      return change.files.flatMap((file) =>
        file.op === 'update' && file.movedTo !== null ? [file.path, file.movedTo] : [file.path],
      )
    case 'move':
      return [change.path, change.to]
    case 'copy':
      return [change.to]
    default:
      return [change.path]
  }
}
