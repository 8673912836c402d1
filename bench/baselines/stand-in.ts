import type { How } from '../../src/core/words/decision.ts'
import { asAgentShows, type Shown } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'

/** The replacement of an item. */
export interface StandIn {
  readonly how: How
  /** Never empty. */
  readonly text: string
  /** Names the original when the policy can restore it. */
  readonly handle?: string
}

/** The view with some items, by number, replaced. */
export function showWith(
  view: readonly Rendition[],
  standIns: ReadonlyMap<number, StandIn>,
): readonly Shown[] {
  return view.map((rendition) => {
    const standIn = standIns.get(rendition.item.i)
    return standIn === undefined ? asAgentShows(rendition) : { item: rendition.item, ...standIn }
  })
}

/** The tool results that the agent itself still shows, oldest first. */
export function resultsIn(view: readonly Rendition[]): readonly Rendition[] {
  return view.filter(({ item, how }) => item.kind === 'result' && how === 'full')
}

/** The results that some earlier request has shown: all but those after the newest message of the assistant. */
export function seenResultsIn(view: readonly Rendition[]): readonly Rendition[] {
  const newest = view.findLastIndex(({ item }) => item.role === 'assistant')
  return resultsIn(view.slice(0, newest + 1))
}

/** The messages of the user, without text that the agent adds to tool results. */
export function promptsIn(view: readonly Rendition[]): ReadonlySet<number> {
  const said = view.filter(({ item }) => item.role === 'user' && item.kind === 'text')
  const prompts = new Set(said.map(({ item }) => item.message))
  for (const { item } of view) if (item.kind === 'result') prompts.delete(item.message)
  return prompts
}

/** The characters of a view with some of its items replaced. */
export function charactersWith(
  view: readonly Rendition[],
  standIns: ReadonlyMap<number, StandIn>,
): number {
  let characters = 0
  for (const { item, text } of view) characters += (standIns.get(item.i)?.text ?? text).length
  return characters
}
