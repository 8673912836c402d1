import type { Policy, Shown } from '../score/policy.ts'
import type { Rendition, TracedItem, TracedRequest } from '../score/session.ts'

/** What a tool was asked, and what it answered. */
export interface ScriptedCall {
  readonly tool: string
  readonly input?: object
  readonly result: string
  readonly status?: 'ok' | 'error'
}

/** A message of the user, or one step of the agent with its thoughts and calls. */
export type ScriptedTurn = (
  | { readonly user: string }
  | { readonly reasoning?: string; readonly calls: readonly ScriptedCall[] }
) & {
  /** How long nothing happened before it. */
  readonly afterSeconds?: number
}

/** The requests of a session in which nothing is cleared: one before each step, and one after all of it. */
export function requestsOf(script: readonly ScriptedTurn[]): readonly TracedRequest[] {
  const items: TracedItem[] = []
  const requests: TracedRequest[] = []
  let message = 0
  let at = 0
  const add = (item: Pick<TracedItem, 'role' | 'kind' | 'text'> & Partial<TracedItem>): void => {
    items.push({ tool: null, call: null, status: null, ...item, i: items.length, message })
  }
  const ask = (): void => {
    const view = items.map(
      (item): Rendition => ({ r: item.i, item, how: 'full', text: item.text, handle: null }),
    )
    requests.push({ n: requests.length + 1, at, view, known: items.length })
  }
  for (const turn of script) {
    at += (turn.afterSeconds ?? 0) * 1_000
    if ('user' in turn) {
      add({ role: 'user', kind: 'text', text: turn.user })
      message++
      continue
    }
    ask()
    const named = turn.calls.map((each, index) => ({ ...each, call: `${message}.${index}` }))
    if (turn.reasoning !== undefined)
      add({ role: 'assistant', kind: 'reasoning', text: turn.reasoning })
    for (const { tool, call, input } of named)
      add({ role: 'assistant', kind: 'call', tool, call, text: JSON.stringify(input ?? {}) })
    message++
    for (const { tool, call, result, status = 'ok' } of named)
      add({ role: 'tool', kind: 'result', tool, call, status, text: result })
    message++
  }
  ask()
  return requests
}

/** What a policy shows at each request of a script. */
export function showScript(
  policy: Policy,
  script: readonly ScriptedTurn[],
): readonly (readonly Shown[])[] {
  const show = policy.begin({ format: 'scripted', model: null })
  return requestsOf(script).map(show)
}

/** The texts of the results that a view shows. */
export function resultTexts(view: readonly Shown[] | undefined): readonly string[] {
  return textsOf(view, 'result')
}

export function textsOf(
  view: readonly Shown[] | undefined,
  kind: TracedItem['kind'],
): readonly string[] {
  return (view ?? []).flatMap((shown) => {
    if (shown.item.kind !== kind) return []
    return [shown.how === 'full' ? shown.item.text : shown.text]
  })
}

/** Text of so many tokens, at four characters each. */
export function tokens(count: number, letter = 'x'): string {
  return letter.repeat(count * 4)
}

/** A step with one call. */
export function step(tool: string, result: string, input?: object): ScriptedTurn {
  return { calls: [{ tool, result, ...(input === undefined ? {} : { input }) }] }
}
