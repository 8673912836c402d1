import type { Action } from '../record/action.ts'
import type { Item, Message } from '../record/item.ts'
import type { ResultReading } from '../record/reading.ts'

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

/** Pairs calls with their results as messages come in. */
export interface Operations {
  /**
   * The operations that this message completed, in the order of their results. A call is `running` until its result
   * has come, and is not given out before.
   */
  observe(message: Message): readonly Operation[]
  /** Calls that have no result yet. */
  running(): readonly CallItem[]
}

export function createOperations(understanding: Understanding): Operations {
  /** Nearly always one call is open at a time; a map that is emptied again and again is made anew each time. */
  let only: CallItem | null = null
  const open = new Map<string, CallItem>()

  function add(call: CallItem): void {
    if (open.size === 0 && (only === null || only.call === call.call)) {
      only = call
      return
    }
    if (only !== null) open.set(only.call, only)
    only = null
    open.set(call.call, call)
  }

  function take(id: string): CallItem | undefined {
    if (only?.call === id) {
      const call = only
      only = null
      return call
    }
    const call = open.get(id)
    if (call !== undefined) open.delete(id)
    return call
  }

  return {
    observe(message) {
      let completed: Operation[] | null = null
      for (const item of message.items) {
        if (item.kind === 'call') add(item)
        if (item.kind !== 'result' || item.status === 'running') continue
        const call = take(item.call)
        if (call === undefined) continue
        const operation = completeOperation(understanding, call, item)
        // Nearly every message completes one or none, and a list that grows from nothing takes room for 17.
        if (completed === null) completed = [operation]
        else completed.push(operation)
      }
      return completed ?? none
    },
    running: () => (only === null ? [...open.values()] : [only]),
  }
}

const none: readonly Operation[] = []

function completeOperation(
  understanding: Understanding,
  call: CallItem,
  result: ResultItem,
): Operation {
  const action = understanding.action(call)
  return {
    call,
    result,
    action,
    reading: understanding.reading(action, call, result.text),
    status: result.status,
    turn: call.turn,
  }
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
