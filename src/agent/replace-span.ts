import { firstShorter } from '../core/render/cut.ts'
import { restoreHint } from '../core/render/marks.ts'
import { type Asker, type ItemOutcome, show } from './prune-item.ts'
import type { PruneTarget } from './prune-request.ts'
import { type AgentSession, type PlacedItem, placedItems, shownText } from './session.ts'

type Replace = Extract<PruneTarget, { readonly kind: 'replace' }>

/** Shorter spans are not worth replacing. */
const shortestSpan = 30

/** A span of an item's shown text, from the start marker to the end marker, both included. */
export interface Span extends PlacedItem {
  readonly from: number
  readonly to: number
}

export type SpanSearch =
  | { readonly kind: 'found'; readonly span: Span }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly handles: readonly string[] }
  | { readonly kind: 'protected' | 'invalid'; readonly why: string }

/** Finds the span to replace: in the assistant's messages, or else in tool results. */
export function findSpan(session: AgentSession, target: Replace): SpanSearch {
  const spans = { assistant: [] as Span[], tool: [] as Span[], other: [] as Span[] }
  for (const placed of placedItems(session)) {
    const { item } = placed
    if (item.kind !== 'text' && item.kind !== 'result') continue
    const text = shownText(item, session)
    if (text === null) continue
    const side = item.kind === 'result' ? 'tool' : item.role === 'assistant' ? 'assistant' : 'other'
    for (const found of spansIn(text, target)) spans[side].push({ ...placed, ...found })
  }
  const [first, ...others] = [spans.assistant, spans.tool].find((each) => each.length > 0) ?? []
  if (first === undefined) {
    return spans.other.length === 0
      ? { kind: 'unknown' }
      : { kind: 'protected', why: "the user's text is never changed" }
  }
  if (others.length > 0) {
    return { kind: 'ambiguous', handles: [first, ...others].map(({ item }) => item.handle) }
  }
  if (first.to - first.from < shortestSpan) {
    return { kind: 'invalid', why: `at least ${shortestSpan} characters are replaced` }
  }
  return { kind: 'found', span: first }
}

/** Every occurrence of the start marker with the nearest end marker after it. */
function spansIn(
  text: string,
  { start, end }: Replace,
): readonly { readonly from: number; readonly to: number }[] {
  const spans: { readonly from: number; readonly to: number }[] = []
  for (let from = text.indexOf(start); from !== -1; from = text.indexOf(start, from + 1)) {
    const at = text.indexOf(end, from + start.length)
    if (at === -1) break
    spans.push({ from, to: at + end.length })
  }
  return spans
}

export function overlaps(one: Span, other: Span): boolean {
  return one.item.index === other.item.index && one.from < other.to && other.from < one.to
}

/** Replaces the span with the replacement and the handle of the original. */
export function replaceSpan(
  session: AgentSession,
  span: Span,
  { replacement, asker }: { readonly replacement: string; readonly asker: Asker },
): ItemOutcome {
  const { item, from, to } = span
  const text = shownText(item, session)
  if (text === null) return { kind: 'already pruned' }
  const hint = restoreHint({ handle: item.handle, restore: session.engine.restore })
  const candidates = [` [${hint}]`, ` [${item.handle}]`].map(
    (end) => `${text.slice(0, from)}${replacement.trim()}${end}${text.slice(to)}`,
  )
  const shorter = firstShorter(candidates, text)
  if (shorter === null) {
    return { kind: 'protected', why: 'the replacement is no shorter than what it replaces' }
  }
  return show(session, span, { how: 'truncated', text: shorter }, { asker })
}
