import { readTrace } from './read-trace.ts'
import type { TracedSession } from './session.ts'

/** A row of a trace of our own making. */
export type TraceRow = Readonly<Record<string, unknown>>

/** A trace with these rows between its first line and its last. */
export function tracedRows(...rows: readonly TraceRow[]): TracedSession {
  const count = (type: string): number => rows.filter((row) => row.type === type).length
  const all = [
    { type: 'session', file: 's', format: 'claude-code', policy: 'p', regime: 'anthropic-5m' },
    ...rows,
    { type: 'end', requests: count('request'), items: count('item') },
  ]
  const [session] = readTrace(all.map((row) => JSON.stringify(row)))
  if (session === undefined) throw new Error('the rows give no session')
  return session
}

export const said = (i: number, role: 'user' | 'assistant', text: string): TraceRow => ({
  type: 'item',
  i,
  message: i,
  role,
  kind: 'text',
  text,
})

export const called = (i: number, tool: string, input: object): TraceRow => ({
  type: 'item',
  i,
  message: i,
  role: 'assistant',
  kind: 'call',
  tool,
  call: `call-${i}`,
  text: JSON.stringify(input),
})

/** The result of the call in the item before. */
export const returned = (i: number, text: string, status = 'ok'): TraceRow => ({
  type: 'item',
  i,
  message: i,
  role: 'tool',
  kind: 'result',
  call: `call-${i - 1}`,
  status,
  text,
})

/** Renditions in full, numbered as their items. */
export const shownInFull = (...items: readonly number[]): readonly TraceRow[] =>
  items.map((i) => ({ type: 'rendition', r: i, i, how: 'full' }))

export const requested = (
  n: number,
  view: readonly number[],
  at: string | null = null,
): TraceRow => ({ type: 'request', n, at, view, epoch: 0 })
