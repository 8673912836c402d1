import type { Action } from './action.ts'
import type { Item } from './item.ts'
import type { ResultReading } from './reading.ts'

export type CallItem = Item & { readonly kind: 'call' }
export type ResultItem = Item & { readonly kind: 'result' }

/** A tool call together with its result: what trackers and strategies work on. */
export interface Operation {
  readonly call: CallItem
  /** null until the result is there. */
  readonly result: ResultItem | null
  /** What the call does, with canonical paths. */
  readonly action: Action
  /** What the result says apart from its frame; null without a result. */
  readonly reading: ResultReading | null
  readonly status: 'ok' | 'error' | 'running'
  /** The turn of the call. */
  readonly turn: number
}

/** Reads calls and results for the core, which knows no agent's tools. `src/actions` provides it. */
export interface Understanding {
  /** With every path in its canonical spelling. Must not throw. */
  action(call: { readonly tool: string; readonly text: string }): Action
  /** Must not throw. */
  reading(action: Action, call: { readonly tool: string }, text: string): ResultReading
}

/** A result's text without the reminders that the agent added behind it. */
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
