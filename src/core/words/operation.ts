import type { Action } from './action.ts'
import type { Effects } from './effects.ts'
import type { Item } from './item.ts'
import type { ResultReading } from './reading.ts'

export type CallItem = Item & { readonly kind: 'call' }
export type ResultItem = Item & { readonly kind: 'result' }

/** A tool call together with its result: what trackers and strategies work on. */
export interface Operation {
  readonly call: CallItem
  /** null until the call has completed. */
  readonly result: ResultItem | null
  /** What the call does, with canonical paths. */
  readonly action: Action
  /** The parsed result; null without a result. */
  readonly reading: ResultReading | null
  /** Which files it reads and changes. */
  readonly effects: Effects
  readonly status: 'ok' | 'error' | 'running'
  /** The turn of the call. */
  readonly turn: number
}

/** Parses calls and results for the core, which does not know the agents' tools. `src/actions` implements it. */
export interface Understanding {
  /** All paths in the action are canonical. Must not throw. */
  action(call: { readonly tool: string; readonly text: string }): Action
  /** Must not throw. */
  reading(action: Action, call: { readonly tool: string }, text: string): ResultReading
}

/** A result's text without the reminders that the agent appended to it. */
export function outputOf({ result, reading }: Pick<Operation, 'result' | 'reading'>): string {
  let text = result?.text ?? ''
  const injected = reading?.injected ?? []
  for (let at = injected.length - 1; at >= 0; at--) {
    const reminder = injected[at]
    if (reminder?.kind !== 'system-reminder') break
    const end = text.trimEnd()
    if (!end.endsWith(reminder.text)) break
    text = end.slice(0, -reminder.text.length).trimEnd()
  }
  return text
}
