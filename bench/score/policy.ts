import type { How } from '../../src/core/words/decision.ts'
import type { Rendition, TracedItem, TracedRequest, TracedSession } from './session.ts'

/** How a policy shows one item. */
export type Shown =
  | { readonly item: TracedItem; readonly how: 'full' }
  | {
      readonly item: TracedItem
      readonly how: How
      /** Never empty. */
      readonly text: string
      /** Names the original when the policy can restore it. */
      readonly handle?: string
    }

/**
 * A way of keeping a context. `begin` is called once for a session; the function that it gives back is called for
 * each request, in order, with the request as the agent itself would have sent it, and returns what is sent instead.
 * It may keep state. It must look at nothing but the requests it was given so far, and must not throw.
 */
export interface Policy {
  readonly name: string
  /** Where the policy comes from: a document, a file of a repository, with its version. */
  readonly source: string
  readonly parameters: string
  begin(session: PolicySession): (request: TracedRequest) => readonly Shown[]
}

/** What a policy knows before the first request. */
export interface PolicySession {
  readonly format: string
  readonly model: string | null
}

/** Shows an item as the agent itself does: in full, or as what it put there when it cleared the item. */
export function asAgentShows(rendition: Rendition): Shown {
  const { item, how, text } = rendition
  return how === 'full' ? { item, how } : { item, how, text }
}

/** The session under a policy. `unpruned` is the trace of a replay without any policy. */
export function applyPolicy(unpruned: TracedSession, policy: Policy): TracedSession {
  const numbers = new Map<string, Rendition>()
  const show = policy.begin({ format: unpruned.format, model: unpruned.model })
  const requests = unpruned.requests.map((request) => ({
    ...request,
    view: show(request).map((shown) => renditionOf(shown, numbers)),
  }))
  return { ...unpruned, policy: policy.name, requests }
}

function renditionOf(shown: Shown, numbers: Map<string, Rendition>): Rendition {
  const { item, how } = shown
  const key = shown.how === 'full' ? `${item.i}` : `${item.i} ${how} ${shown.text}`
  const known = numbers.get(key)
  if (known !== undefined) return known
  const rendition: Rendition = {
    r: numbers.size,
    item,
    how,
    text: shown.how === 'full' ? item.text : shown.text,
    handle: shown.how === 'full' ? null : (shown.handle ?? null),
  }
  numbers.set(key, rendition)
  return rendition
}
