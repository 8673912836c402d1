import { placeholderFor, strippedInput } from '../../render/index.ts'
import { inputFields } from '../../words/call-key.ts'
import { contextToolOf } from '../../words/context-tools.ts'
import { LedgerCursor } from '../../words/ledger.ts'
import { addToList } from '../../words/lists.ts'
import type { CallItem } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { hideableOf, isHideable, succeeded } from './outcome.ts'

const reason = 'context'
const strategy = 'contextSupersede'

/** A call that waits for its handles to appear in the ledger. */
interface Waiting {
  readonly call: CallItem
  missing: number
}

/**
 * Hides the agent's own context calls once their effect is in the ledger and the agent has seen the result: a prune when
 * all its items are decided, a restore when its items are shown again, an inventory when a newer call changed it.
 */
export const context: StrategyFactory = (settings) => {
  if (!settings.contextSupersede) return null
  const inLedger = { context_prune: new Set<string>(), context_restore: new Set<string>() }
  const waiting = new Map<string, Waiting[]>()
  let inventories: readonly CallItem[] = []
  let settled: CallItem[] = []
  const cursor = new LedgerCursor()

  function readLedger(view: View): void {
    for (const entry of cursor.take(view.decisions)) {
      if (entry.kind === 'revert' && entry.again !== true)
        settle('context_restore', view.item(entry.item).handle)
      else if (entry.kind === 'decision' && entry.reason === 'agent')
        settle('context_prune', entry.handle)
    }
  }

  function settle(tool: keyof typeof inLedger, handle: string): void {
    inLedger[tool].add(handle)
    const key = `${tool} ${handle}`
    for (const call of waiting.get(key) ?? []) {
      call.missing--
      if (call.missing === 0) settled.push(call.call)
    }
    waiting.delete(key)
  }

  return {
    name: strategy,
    *operation(operation, view) {
      const { call } = operation
      const tool = contextToolOf(call.tool)
      if (tool === null || !succeeded(operation)) return
      if (tool !== 'context_restore') {
        const earlier = inventories.filter((inventory) => inventory.turn < operation.turn)
        for (const older of hideableOf(earlier, view)) {
          yield { kind: 'supersede', older, by: operation, reason, strategy }
        }
        inventories = inventories.filter((inventory) => inventory.turn >= operation.turn)
      }
      if (tool === 'context_info') {
        inventories = [...inventories, call]
        return
      }
      readLedger(view)
      const handles = handlesIn(call)
      const missing = handles.filter((handle) => !inLedger[tool].has(handle))
      if (handles.length > 0 && missing.length === 0) settled.push(call)
      const entry: Waiting = { call, missing: missing.length }
      for (const handle of missing) addToList(waiting, `${tool} ${handle}`, entry)
    },
    *request(view) {
      readLedger(view)
      if (settled.length === 0) return
      const seen = settled.filter((call) => call.turn + 1 < view.turn)
      settled = settled.filter((call) => call.turn + 1 >= view.turn)
      for (const call of seen) yield* hide(call, view)
    },
  }
}

function* hide(call: CallItem, view: View): Proposals {
  const operation = view.operationOf(call)
  if (operation?.result == null || !isHideable(operation.result, view)) return
  const { result } = operation
  const { restore } = view
  const text = placeholderFor(operation, null, reason, { handle: result.handle, restore })
  const hidden = { how: 'superseded', text } as const
  yield { kind: 'show', item: result, by: null, reason, strategy, rendition: hidden }
  const rendition = view.settings.pruneToolInputs ? strippedInput(operation, restore) : null
  if (rendition === null) return
  yield {
    kind: 'show',
    item: call,
    by: null,
    reason: 'input',
    strategy: 'pruneToolInputs',
    rendition,
  }
}

/** `targets` of `[handle]` or `[handle, summary]`, or the one `handle`. */
function handlesIn(call: CallItem): readonly string[] {
  const fields = inputFields(call.text)
  const targets = fields?.get('targets')
  const named = Array.isArray(targets) ? targets.map(firstOf) : [fields?.get('handle')]
  return [...new Set(named.filter(isHandle))].map((handle) => handle.toLowerCase())
}

function firstOf(target: unknown): unknown {
  return Array.isArray(target) ? (target[0] as unknown) : target
}

function isHandle(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{6,}$/i.test(value)
}
