import type { Message } from '../../record/item.ts'

/**
 * Notices when somebody other than the agent may have changed files. `change`: the user says so, or the agent's own
 * bookkeeping does. `pause`: somebody had the time to. In a quick exchange files stay what they were.
 */
export type Interruption = 'change' | 'pause'

export interface Interruptions {
  /** Every message, in order. */
  hear(message: Message): Interruption | null
}

const pauseMs = 180_000

/** What people type who changed something by hand is short; logs and plans that they paste are not. */
const longestWord = 1000

const changed =
  /\b(?:i|i've|i have|we|we've|we have) (?:\w+ )?(?:reverted|undid|undone|restored|reset|rolled back|discarded|stashed|rebased|merged|pulled|checked out|changed|edited|modified|removed|deleted|renamed|moved|rewrote|reformatted)\b|\b(?:reverted|undid) (?:your|the|all|my|these|those|it|that)\b/i

const left = /<command-name>\/(?:exit|quit|clear|resume|rewind|undo)</

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g

export function createInterruptions(): Interruptions {
  let lastAt: number | null = null
  let begun = false
  return {
    hear(message) {
      const before = lastAt
      lastAt = message.at ?? lastAt
      if (message.role === 'assistant') begun = true
      if (message.role !== 'user' || !begun) return null
      const said = message.items
        .map((item) => (item.kind === 'text' ? item.text.replace(reminder, '').trim() : ''))
        .filter((text) => text !== '')
      if (said.length === 0) return null
      if (said.some((text) => text.length <= longestWord && changed.test(text))) return 'change'
      if (said.some((text) => left.test(text))) return 'change'
      const pause = before === null || message.at === undefined ? 0 : message.at - before
      return pause >= pauseMs ? 'pause' : null
    },
  }
}
