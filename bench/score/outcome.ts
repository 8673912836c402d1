import type { MadeChange, Need, NeededSpan, Needs } from './needs.ts'
import type { Rendition, TracedRequest, TracedSession } from './session.ts'
import { createRenditionLines, lineKey, type TextLines } from './text-lines.ts'

/** The outcome of a need. Identifiers are never stale. */
export type Outcome = 'current' | 'stale' | 'recoverable' | 'lost'

export interface JudgedNeed {
  readonly need: Need
  readonly outcome: Outcome
  readonly missing: readonly NeededSpan[]
  /** How the newest item that holds the first of them was shown instead; null when it was not shown at all. */
  readonly hidden: Rendition['how'] | null
}

/**
 * Tells what became of needs in the requests of a policy. An item counts as shown in full when the text is that of the
 * recording, whatever the trace calls it; any other text is searched for what was needed.
 */
export function createJudge(
  { changes }: Needs,
  { items }: TracedSession,
): (need: Need, request: TracedRequest) => JudgedNeed {
  const linesOf = createRenditionLines()
  return (need, request) => {
    const full = new Set<number>()
    const changed: Rendition[] = []
    for (const rendition of request.view) {
      const { item, text } = rendition
      if (text === items[item.i]?.text) full.add(item.i)
      else changed.push(rendition)
    }
    const stands = (span: NeededSpan): boolean =>
      span.holders.some((holder) => full.has(holder)) ||
      changed.some((rendition) => holds(linesOf(rendition), span))
    const missing = need.spans.filter((span) => !stands(span))
    if (missing.length === 0) return { need, outcome: 'current', missing, hidden: null }
    const hidden = changed.findLast(({ item }) => missing[0]?.holders.includes(item.i))?.how ?? null
    const isStale =
      need.class === 'E1' &&
      missing.some(({ text }) => staleLine(text, { request, full, changes, linesOf }))
    if (isStale) return { need, outcome: 'stale', missing, hidden }
    const handles = new Set(
      changed.filter(({ handle }) => handle !== null).map(({ item }) => item.i),
    )
    const found = missing.every(({ holders }) => holders.some((holder) => handles.has(holder)))
    return { need, outcome: found ? 'recoverable' : 'lost', missing, hidden }
  }
}

function holds(shown: TextLines, { kind, text }: NeededSpan): boolean {
  switch (kind) {
    case 'line':
      return shown.lines.has(text)
    case 'part':
      return shown.lines.has(text) || shown.text.includes(text)
    case 'identifier':
      return shown.identifiers().has(text)
  }
}

interface Scene {
  readonly request: TracedRequest
  readonly full: ReadonlySet<number>
  readonly changes: readonly MadeChange[]
  readonly linesOf: (rendition: Rendition) => TextLines
}

/** The change that wrote the line is hidden, and the replaced text is still shown. */
function staleLine(line: string, { request, full, changes, linesOf }: Scene): boolean {
  const writer = changes.findLast(
    ({ result, change }) =>
      result < request.known && change.added.some((added) => lineKey(added) === line),
  )
  if (writer === undefined || full.has(writer.call)) return false
  const { removed, partial } = writer.change
  const added = new Set(writer.change.added.map(lineKey))
  const replaced = removed.map(lineKey).filter((each) => each !== '' && !added.has(each))
  if (replaced.length === 0) return false
  const isEdge = (each: string): boolean =>
    partial && (each === lineKey(removed[0] ?? '') || each === lineKey(removed.at(-1) ?? ''))
  return replaced.every((each) => {
    const span: NeededSpan = { text: each, kind: isEdge(each) ? 'part' : 'line', holders: [] }
    return request.view.some((rendition) => holds(linesOf(rendition), span))
  })
}
