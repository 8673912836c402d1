import { type ActionOptions, actionOf } from '../actions/index.ts'
import type { ActionKind } from '../core/words/action.ts'
import type { Recording } from './recording.ts'

/** What a recorded session contains, as counts. */
export interface RecordingCounts {
  readonly messages: number
  readonly calls: number
  /** Calls by kind. `edits` includes patches; kinds without a count of their own are in `other`. */
  readonly reads: number
  readonly writes: number
  readonly edits: number
  readonly shell: number
  readonly search: number
  readonly other: number
  /** Results that the recording marks as failed. A non-zero exit code alone does not count. */
  readonly errors: number
  /** Calls without a result, except those that the provider ran itself. */
  readonly missing: number
  readonly compactions: number
  /** Results that the agent itself cleared. */
  readonly nativePruned: number
  readonly attachments: number
  /** Assistant messages. */
  readonly requests: number
}

type CallGroup = 'reads' | 'writes' | 'edits' | 'shell' | 'search' | 'other'

const groups: Readonly<Record<ActionKind, CallGroup>> = {
  read: 'reads',
  write: 'writes',
  edit: 'edits',
  patch: 'edits',
  shell: 'shell',
  search: 'search',
  glob: 'search',
  fetch: 'other',
  list: 'other',
  task: 'other',
  other: 'other',
}

export function countRecording(recording: Recording, options: ActionOptions = {}): RecordingCounts {
  const calls = { reads: 0, writes: 0, edits: 0, shell: 0, search: 0, other: 0 }
  const unanswered = new Set<string>()
  const cleared = new Set<string>()
  let made = 0
  let errors = 0
  let compactions = 0
  let attachments = 0
  let requests = 0
  for (const event of recording.events) {
    if (event.kind === 'compaction') {
      if (!event.rewind) compactions += 1
      continue
    }
    if (event.kind === 'cleared') {
      for (const { message, item } of event.results) cleared.add(`${message} ${item}`)
      continue
    }
    if (event.message.role === 'assistant') requests += 1
    for (const item of event.message.items) {
      if (item.kind === 'call') {
        made += 1
        calls[groups[actionOf(item, options).kind]] += 1
        if (!item.opaque) unanswered.add(item.call)
      } else if (item.kind === 'result') {
        unanswered.delete(item.call)
        if (item.status === 'error') errors += 1
      } else if (item.kind === 'attachment') attachments += 1
    }
  }
  return {
    messages: recording.messages,
    calls: made,
    ...calls,
    errors,
    missing: unanswered.size,
    compactions,
    nativePruned: cleared.size,
    attachments,
    requests,
  }
}
