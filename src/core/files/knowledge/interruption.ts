import type { Effects } from '../../words/effects.ts'
import type { Message } from '../../words/item.ts'
import { createTreeNotes } from './working-tree.ts'

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
const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g

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
