import { changesOf } from '../../src/replay/evidence/anchors.ts'
import { identifiersIn } from './identifier-words.ts'
import { type Need, visibleAtEnd, visibleItems } from './needs.ts'
import type { TracedItem, TracedSession } from './session.ts'
import { spokenText } from './text-lines.ts'

const mostHolders = 3

/** The identifiers that calls use outside of anchors, that a tool result was the first to say, and that few items had said by then. */
export function identifierNeeds(
  session: TracedSession,
  elsewhere: TracedSession | undefined,
): { readonly needs: readonly Need[]; readonly candidates: number } {
  const source = elsewhere ?? session
  const saidBy = new Map<string, number[]>()
  for (const item of source.items) {
    if (item.kind === 'marker') continue
    for (const name of identifiersIn(textOf(item))) {
      const holders = saidBy.get(name)
      if (holders === undefined) saidBy.set(name, [item.i])
      else holders.push(item.i)
    }
  }
  const visibleElsewhere = elsewhere === undefined ? null : visibleAtEnd(elsewhere)
  const needs: Need[] = []
  let candidates = 0
  for (const [index, request] of session.requests.entries()) {
    const known = elsewhere === undefined ? request.known : source.items.length
    const visible = visibleElsewhere ?? visibleItems(request)
    const until = session.requests[index + 1]?.known ?? session.items.length
    for (const call of session.items.slice(request.known, until)) {
      if (call.kind !== 'call') continue
      // What an anchor says is a need of the first class already.
      const anchored = identifiersIn(
        changesOf(call)
          .flatMap(({ anchor }) => anchor)
          .join('\n'),
      )
      for (const name of identifiersIn(spokenText(call.text))) {
        if (anchored.has(name)) continue
        candidates++
        const holders = (saidBy.get(name) ?? []).filter((i) => i < known)
        const first = source.items[holders[0] ?? -1]
        if (first?.kind !== 'result' || holders.length > mostHolders) continue
        const standing = holders.filter((i) => visible.has(i))
        if (standing.length === 0) continue
        const span = { text: name, kind: 'identifier' as const, holders: standing }
        needs.push({ class: 'E2', n: request.n, call: call.i, spans: [span] })
      }
    }
  }
  return { needs, candidates }
}

const textOf = (item: TracedItem): string =>
  item.kind === 'call' ? spokenText(item.text) : item.text
