import type { Action } from '../../record/action.ts'
import type { Message } from '../../record/item.ts'

/**
 * Why files may be other than the agent left them. `outside`: they changed while the agent did nothing to them.
 * `reverted`: the user undid what the agent did. `rumour`: the user may have changed anything. `pause`: the user had
 * the time to go over what the agent wrote. `remark`: the user spoke, and nothing of all that.
 */
export type Interruption = 'outside' | 'reverted' | 'rumour' | 'pause' | 'remark'

/** Notices when somebody other than the agent may have changed files. In a quick exchange they stay what they were. */
export interface Interruptions {
  /** Every message, in order and before its operations. */
  hear(message: Message): Interruption | null
  /** Every operation. */
  acted(action: Action): void
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
  let lastAt: number | null = null
  let begun = false
  /** Whether files changed during the agent's last step, and whether the agent may have done it. */
  let stepChanged = false
  let ownChange = false

  function hear(message: Message): Interruption | null {
    const before = lastAt
    lastAt = message.at ?? lastAt
    if (message.role === 'assistant') {
      begun = true
      const unexplained = stepChanged && !ownChange
      // OpenCode compares the working tree before and after each step.
      stepChanged = message.items.some((item) => item.kind === 'marker' && item.marker === 'patch')
      ownChange = false
      return unexplained ? 'outside' : null
    }
    if (message.role !== 'user' || !begun) return null
    const said = message.items
      .map((item) => (item.kind === 'text' ? item.text.replace(reminder, '').trim() : ''))
      .filter((text) => text !== '')
    if (said.length === 0) return null
    const remarks = said.filter((text) => text.length <= longestRemark)
    if (said.some((text) => left.test(text))) return 'rumour'
    if (remarks.some((text) => changed.test(text))) return 'rumour'
    if (remarks.some((text) => reverted.test(text))) return 'reverted'
    const pause = before === null || message.at === undefined ? 0 : message.at - before
    return pause >= pauseMs ? 'pause' : 'remark'
  }

  return {
    hear,
    acted(action) {
      ownChange ||= mayChange(action)
    },
  }
}

function mayChange(action: Action): boolean {
  switch (action.kind) {
    case 'write':
    case 'edit':
    case 'patch':
    case 'task':
      return true
    case 'shell':
      return action.changes.length > 0
    default:
      return false
  }
}
