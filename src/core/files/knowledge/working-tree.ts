import { changedFiles, type Effects } from '../../words/effects.ts'
import type { Message } from '../../words/item.ts'

/** How the working tree changed before an answer, according to the agent's notes. */
export interface TreeChange {
  /** Whether the tree is still as the step before left it. */
  readonly between: 'same' | 'other' | 'unknown'
  /** Files that changed during the step before, but by none of its calls; null when the notes do not name them. */
  readonly unexplained: readonly string[] | null
}

/**
 * Reads the notes of agents that compare the working tree before and after each step. They show what a command of
 * unknown effect changed, what others changed, and whether a pause left everything as it was.
 */
export interface TreeNotes {
  /** Takes every answer, in order and before its operations. */
  observeAnswer(message: Message): TreeChange
  /** Takes the effects of every call. */
  recordEffects(effects: Effects): void
  /** True when the last step ended with a note that the next answer can be compared with. */
  readonly comparable: boolean
  /** The files that the current step changes; null when the agent did not list them. */
  readonly changing: ReadonlySet<string> | null
}

export function createTreeNotes(): TreeNotes {
  let after: string | null = null
  let changing: ReadonlySet<string> | null = null
  /** The notes say that files changed, but not which. */
  let changedSomething = false
  let changedByAgent = new Set<string>()
  let agentChangedUnknown = false
  /** Others work in the same tree, and may change the same file in the same step. */
  let isShared = false

  return {
    observeAnswer(message) {
      const { tree } = message
      const unexplained = unexplainedFiles()
      const known = after !== null && tree !== undefined && tree.before !== null
      const between = known ? (tree.before === after ? 'same' : 'other') : 'unknown'
      after = tree?.after ?? null
      changedByAgent = new Set()
      agentChangedUnknown = false
      const isUnchanged = tree !== undefined && tree.before !== null && tree.before === tree.after
      changing = isUnchanged ? new Set() : (tree?.changed ?? null) && new Set(tree?.changed)
      changedSomething = message.items.some(
        (item) => item.kind === 'marker' && item.marker === 'patch',
      )
      return { between, unexplained }
    },
    recordEffects({ changes, changesUnnamed }) {
      if (changesUnnamed) agentChangedUnknown = true
      else for (const path of changes.flatMap(changedFiles)) changedByAgent.add(path)
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
      const others = [...changing].filter((path) => !changedByAgent.has(path))
      isShared ||= others.length > 0 && !agentChangedUnknown
      return isShared ? [...changing] : others
    }
    return changedSomething && changedByAgent.size === 0 && !agentChangedUnknown ? null : []
  }
}
