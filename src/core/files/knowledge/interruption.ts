import { changedFiles, type Effects } from '../../words/effects.ts'
import type { Message } from '../../words/item.ts'

/**
 * Why files may differ from what the agent left. `outside`: files changed without the agent; null stands for any file.
 * `reverted`: the user undid the agent's changes. `left`: the user left the session, and any file may have changed.
 * `edited-by-hand`: the user changed files that they and the agent talk about. `pause`: the user had time to review what
 * the agent wrote. `remark`: the user wrote a message that suggests none of these.
 */
export type Interruption =
  | { readonly kind: 'outside'; readonly paths: readonly string[] | null }
  | { readonly kind: 'reverted' }
  | { readonly kind: 'left' }
  | { readonly kind: 'edited-by-hand'; readonly texts: readonly string[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'remark' }

/** Detects when files may have been changed outside of the agent. */
export interface Interruptions {
  /** Takes every message, in order and before its operations. */
  observeMessage(message: Message): readonly Interruption[]
  /** Takes the effects of every operation. */
  recordEffects(effects: Effects): void
  /** The files that the current step changes; null when the agent did not list them. */
  readonly changing: ReadonlySet<string> | null
}

const pauseMs = 180_000

/** Longer messages are mostly pasted logs and plans, not the user's own words. */
const longestRemark = 1000

const person = "(?:i|i've|i have|we|we've|we have) (?:\\w+ )?"
const reverted = new RegExp(
  `\\b${person}(?:reverted|undid|undone|restored|reset|rolled back|discarded|stashed)\\b|\\b(?:reverted|undid|discarded) (?:your|the|all|my|these|those|it|that)\\b`,
  'i',
)
const changed = new RegExp(
  `\\b${person}(?:rebased|merged|pulled|checked out|changed|edited|modified|removed|deleted|renamed|moved|rewrote|reformatted)\\b`,
  'i',
)
const leaving = /<command-name>\/(?:exit|quit|clear|resume|rewind|undo)</
const reminder = /<system-reminder>([\s\S]*?)<\/system-reminder>/g

export function createInterruptions(): Interruptions {
  const notes = createTreeNotes()
  let lastAt: number | null = null
  let begun = false
  /** Suggested by the user's words and pauses, and held until the agent's tree notes confirm or refute it. */
  let suspected: Interruption[] = []

  function observeMessage(message: Message): readonly Interruption[] {
    const before = lastAt
    lastAt = message.at ?? lastAt
    if (message.role === 'assistant') {
      begun = true
      return observeAnswer(message)
    }
    if (!begun) return []
    const pause = before === null || message.at === undefined ? 0 : message.at - before
    const paused = pause >= pauseMs
    const interruption =
      message.role === 'user' ? interruptionOf(message, { paused }) : paused ? waited : null
    if (interruption === null) return []
    if (!notes.comparable) return [interruption]
    suspected.push(interruption)
    return []
  }

  function observeAnswer(message: Message): readonly Interruption[] {
    const { between, unexplained } = notes.observeAnswer(message)
    const found: Interruption[] = []
    if (unexplained === null || unexplained.length > 0) {
      found.push({ kind: 'outside', paths: unexplained })
    }
    if (between === 'other') found.push({ kind: 'outside', paths: null })
    if (between === 'same') {
      if (suspected.length > 0) found.push({ kind: 'remark' })
    } else found.push(...suspected)
    suspected = []
    return found
  }

  return {
    observeMessage,
    recordEffects: notes.recordEffects,
    get changing() {
      return notes.changing
    },
  }
}

/** A call that takes this long may have waited for a user who was editing the same files. */
const waited: Interruption = { kind: 'pause' }

function interruptionOf(
  message: Message,
  { paused }: { readonly paused: boolean },
): Interruption | null {
  const texts = message.items
    .map((item) => (item.kind === 'text' ? item.text.replace(reminder, '').trim() : ''))
    .filter((text) => text !== '')
  if (texts.length === 0) return null
  const remarks = texts.filter((text) => text.length <= longestRemark)
  if (texts.some((text) => leaving.test(text))) return { kind: 'left' }
  if (remarks.some((text) => changed.test(text))) return { kind: 'edited-by-hand', texts }
  if (remarks.some((text) => reverted.test(text))) return { kind: 'reverted' }
  return { kind: paused ? 'pause' : 'remark' }
}

/**
 * The paths of files that an agent's reminders report as changed outside of it, as the reminders write them. Claude Code
 * adds such reminders between the results and the user's text.
 */
export function modifiedFiles({ role, items }: Message): readonly string[] {
  if (role === 'assistant' || role === 'system') return []
  return items.flatMap((item) => {
    if (item.kind !== 'text' && item.kind !== 'result') return []
    const end = item.text.trimEnd()
    if (!end.endsWith('</system-reminder>')) return []
    // Files and commands may print text like a reminder, so in a result only the last one counts, at the very end.
    const text = item.kind === 'text' ? end : end.slice(end.lastIndexOf('<system-reminder>'))
    return [...text.matchAll(reminder)].flatMap(([, text = '']) => pathIn(text) ?? [])
  })
}

const note =
  /^[^\S\n]*(?:Note: (.+?) was modified, either by the user or by a linter\b.*|edited_text_file (.+))$/m

function pathIn(text: string): string | null {
  const found = note.exec(text)
  return found === null ? null : (found[1] ?? found[2] ?? '').trim()
}

/** How the working tree changed before an answer, according to the agent's notes. */
interface TreeChange {
  /** Whether the tree is still as the step before left it. */
  readonly between: 'same' | 'other' | 'unknown'
  /** Files that changed during the step before, but by none of its calls; null when the notes do not name them. */
  readonly unexplained: readonly string[] | null
}

/**
 * Reads the notes of agents that compare the working tree before and after each step. They show what a command of
 * unknown effect changed, what others changed, and whether a pause left everything as it was.
 */
interface TreeNotes {
  /** Takes every answer, in order and before its operations. */
  observeAnswer(message: Message): TreeChange
  /** Takes the effects of every call. */
  recordEffects(effects: Effects): void
  /** True when the last step ended with a note that the next answer can be compared with. */
  readonly comparable: boolean
  /** The files that the current step changes; null when the agent did not list them. */
  readonly changing: ReadonlySet<string> | null
}

function createTreeNotes(): TreeNotes {
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
