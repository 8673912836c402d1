import type { Action } from '../../words/action.ts'
import type { Message } from '../../words/item.ts'
import { createTreeNotes } from './working-tree.ts'

/**
 * Why files may be other than the agent left them. `outside`: they changed while the agent did nothing to them; null
 * stands for any file. `reverted`: the user undid what the agent did. `rumour`: the user left, and anything may have
 * changed meanwhile. `retouched`: the user changed something by hand, in the files that they and the agent talk about.
 * `pause`: the user had the time to go over what the agent wrote. `remark`: the user spoke, and nothing of all that.
 */
export type Interruption =
  | { readonly kind: 'outside'; readonly paths: readonly string[] | null }
  | { readonly kind: 'reverted' }
  | { readonly kind: 'rumour' }
  | { readonly kind: 'retouched'; readonly said: readonly string[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'remark' }

/** Notices when somebody other than the agent may have changed files. In a quick exchange they stay what they were. */
export interface Interruptions {
  /** Every message, in order and before its operations. */
  hear(message: Message): readonly Interruption[]
  /** Every operation. */
  acted(action: Action): void
  /** The files that changed in the step that runs now; null when nobody noted them. */
  readonly changing: ReadonlySet<string> | null
}

const pauseMs = 180_000

/** What people type who changed something by hand is short; logs and plans that they paste are not. */
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
const left = /<command-name>\/(?:exit|quit|clear|resume|rewind|undo)</
const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g

export function createInterruptions(): Interruptions {
  const notes = createTreeNotes()
  let lastAt: number | null = null
  let begun = false
  /** What the user's words and pauses suggest, until the agent's notes prove it wrong. */
  let suspected: Interruption[] = []

  function hear(message: Message): readonly Interruption[] {
    const before = lastAt
    lastAt = message.at ?? lastAt
    if (message.role === 'assistant') {
      begun = true
      return answered(message)
    }
    if (!begun) return nothing
    const pause = before === null || message.at === undefined ? 0 : message.at - before
    const paused = pause >= pauseMs
    const interruption =
      message.role === 'user' ? interruptionOf(message, { paused }) : paused ? waited : null
    if (interruption === null) return nothing
    if (!notes.comparable) return [interruption]
    suspected.push(interruption)
    return nothing
  }

  function answered(message: Message): readonly Interruption[] {
    const { between, unexplained } = notes.answered(message)
    // Few agents leave notes, and few answers follow something that was said.
    if (between === 'unknown' && unexplained?.length === 0 && suspected.length === 0) return nothing
    const heard: Interruption[] = []
    if (unexplained === null || unexplained.length > 0) {
      heard.push({ kind: 'outside', paths: unexplained })
    }
    if (between === 'other') heard.push({ kind: 'outside', paths: null })
    if (between === 'same') {
      if (suspected.length > 0) heard.push({ kind: 'remark' })
    } else heard.push(...suspected)
    if (suspected.length > 0) suspected = []
    return heard
  }

  return {
    hear,
    acted: (action) => notes.acted(action),
    get changing() {
      return notes.changing
    },
  }
}

const nothing: readonly Interruption[] = []

/** A call that takes so long may have waited for a user who was busy with the same files. */
const waited: Interruption = { kind: 'pause' }

function interruptionOf(
  message: Message,
  { paused }: { readonly paused: boolean },
): Interruption | null {
  const said = message.items
    .map((item) => (item.kind === 'text' ? item.text.replace(reminder, '').trim() : ''))
    .filter((text) => text !== '')
  if (said.length === 0) return null
  const remarks = said.filter((text) => text.length <= longestRemark)
  if (said.some((text) => left.test(text))) return { kind: 'rumour' }
  if (remarks.some((text) => changed.test(text))) return { kind: 'retouched', said }
  if (remarks.some((text) => reverted.test(text))) return { kind: 'reverted' }
  return { kind: paused ? 'pause' : 'remark' }
}
