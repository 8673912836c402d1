import { type Change, changesOf } from '../../src/replay/evidence/anchors.ts'
import { identifierNeeds } from './identifiers.ts'
import type { TracedItem, TracedRequest, TracedSession } from './session.ts'
import { lineKey, significantCharacters, type TextLines, textLines } from './text-lines.ts'

/** A line or an identifier that an action copied, and where it could be copied from. */
export interface NeededSpan {
  readonly text: string
  /** How it is looked for: as a whole line, as a line or a part of one, or as an identifier. */
  readonly kind: 'line' | 'part' | 'identifier'
  /** The items that hold it in the request as the agent itself sent it; never empty. */
  readonly holders: readonly number[]
}

/** What one action needed from the request before it. */
export interface Need {
  readonly class: 'E1' | 'E2'
  /** Number of the request, from 1. */
  readonly n: number
  /** The call that copied. */
  readonly call: number
  readonly spans: readonly NeededSpan[]
}

/** A change of a file: who wrote a line, and what it replaced. */
export interface MadeChange {
  readonly call: number
  readonly result: number
  readonly change: Change
}

export interface Needs {
  readonly needs: readonly Need[]
  readonly changes: readonly MadeChange[]
  /** Actions that could have copied, whether or not what they say was found: by class. */
  readonly candidates: Readonly<Record<Need['class'], number>>
}

export interface NeedsOptions {
  /** Search in the items of this session instead, to measure chance matches. */
  readonly within?: TracedSession
}

const leastAnchorCharacters = 16
const leastShare = 0.6

/** Computed from a trace without any policy: what each action copied from the items before it. */
export function needsOf(session: TracedSession, options: NeedsOptions = {}): Needs {
  const elsewhere = options.within
  const visibleElsewhere = elsewhere === undefined ? null : visibleAtEnd(elsewhere)
  const lines = createLineIndex(elsewhere ?? session)
  const changes = [...changesMade(session)]
  const needs: Need[] = []
  let edits = 0
  for (const [index, request] of session.requests.entries()) {
    const visible = visibleElsewhere ?? visibleItems(request)
    for (const call of callsAfter(session, index)) {
      for (const { change } of changes.filter((made) => made.call === call.i)) {
        const wanted = change.anchor.filter((line) => lineKey(line) !== '')
        const size = sizeOf(wanted)
        if (size < leastAnchorCharacters) continue
        edits++
        const spans = standingSpans(wanted, change, visible, lines)
        if (sizeOf(spans.map(({ text }) => text)) < size * leastShare) continue
        needs.push({ class: 'E1', n: request.n, call: call.i, spans })
      }
    }
  }
  const identifiers = identifierNeeds(session, elsewhere)
  return {
    needs: [...needs, ...identifiers.needs].sort((a, b) => a.n - b.n || a.call - b.call),
    changes,
    candidates: { E1: edits, E2: identifiers.candidates },
  }
}

/** The changes of all calls that succeeded. */
function* changesMade(session: TracedSession): Generator<MadeChange> {
  const results = resultsOf(session)
  for (const call of session.items) {
    const result = call.kind === 'call' ? results.get(call.i) : undefined
    if (result?.status !== 'ok') continue
    for (const change of changesOf(call)) yield { call: call.i, result: result.i, change }
  }
}

/** The calls of the message that answered a request. */
export function callsAfter(session: TracedSession, index: number): readonly TracedItem[] {
  const from = session.requests[index]?.known ?? 0
  const to = session.requests[index + 1]?.known ?? session.items.length
  return session.items.slice(from, to).filter(({ kind }) => kind === 'call')
}

/** The items whose own text a request shows. */
export function visibleItems(request: TracedRequest): ReadonlySet<number> {
  return new Set(request.view.filter(({ how }) => how === 'full').map(({ item }) => item.i))
}

/** The items whose own text the last request of a session shows. */
export function visibleAtEnd({ requests }: TracedSession): ReadonlySet<number> {
  const last = requests.at(-1)
  return last === undefined ? new Set() : visibleItems(last)
}

/** The last result of each call, by the call's item. */
export function resultsOf(session: TracedSession): ReadonlyMap<number, TracedItem> {
  const calls = new Map<string, number>()
  const results = new Map<number, TracedItem>()
  for (const item of session.items) {
    if (item.call === null) continue
    if (item.kind === 'call') calls.set(item.call, item.i)
    const call = calls.get(item.call)
    if (item.kind === 'result' && call !== undefined) results.set(call, item)
  }
  return results
}

const sizeOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + significantCharacters(line), 0)

interface LineIndex {
  readonly texts: readonly TextLines[]
  readonly byLine: ReadonlyMap<string, readonly number[]>
}

function createLineIndex({ items }: TracedSession): LineIndex {
  const texts = items.map((item) => textLines(item, item.text))
  const byLine = new Map<string, number[]>()
  for (const [i, { lines }] of texts.entries()) {
    for (const line of lines) {
      const holders = byLine.get(line)
      if (holders === undefined) byLine.set(line, [i])
      else holders.push(i)
    }
  }
  return { texts, byLine }
}

function standingSpans(
  wanted: readonly string[],
  change: Change,
  visible: ReadonlySet<number>,
  { texts, byLine }: LineIndex,
): readonly NeededSpan[] {
  const spans: NeededSpan[] = []
  for (const line of wanted) {
    const key = lineKey(line)
    const partial = change.partial && (line === wanted[0] || line === wanted.at(-1))
    const holders = partial
      ? [...visible].filter((i) => texts[i]?.lines.has(key) || texts[i]?.text.includes(key))
      : (byLine.get(key) ?? []).filter((i) => visible.has(i))
    if (holders.length > 0) spans.push({ text: key, kind: partial ? 'part' : 'line', holders })
  }
  return spans
}
