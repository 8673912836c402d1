import type { UnderstandingOptions } from '../actions/understand.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { Item } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import { aboutItem, needOf, operationsIn } from '../replay/explain.ts'
import { ItemLives, type LifeSpan } from '../replay/item-lives.ts'
import type { ReplayedRequest } from '../replay/replay.ts'
import type { Work } from '../replay/work.ts'
import { contextKindOf } from './context-kind.ts'
import { createRequestPoints } from './request-points.ts'
import { type SessionSource, watched } from './session-source.ts'
import type { ItemDetail, ItemRow, ItemSpan, RequestPoint, SearchResult } from './types.ts'

const longestPreview = 400
const longestShown = 4_000
const longestExcerpt = 160
const mostMatches = 500

/** A session that was replayed once, so any question about its items can be answered. */
export interface ReadSession {
  readonly source: SessionSource
  readonly requests: readonly RequestPoint[]
  readonly items: readonly ItemRow[]
  readonly lives: ItemLives
  readonly operations: ReadonlyMap<number, Operation>
  /** The last request; null when there was none. */
  readonly last: ReplayedRequest | null
}

export interface ReadOptions extends Omit<UnderstandingOptions, 'cwd'> {
  readonly models?: readonly ModelOverride[] | undefined
}

export function* readSession(source: SessionSource, options: ReadOptions = {}): Work<ReadSession> {
  const { mappings } = options
  const operations = yield* operationsIn(source.record(), { mappings, cwd: source.folder })
  const points = createRequestPoints(source, operations, options.models)
  const { steps, decided } = source.open()
  let last: ReplayedRequest | null = null
  const lives = new ItemLives(decided)
  yield* lives.follow(
    watched(steps, (step) => {
      if (step.kind !== 'request') return
      points.add(step)
      last = step
    }),
  )
  const items: ItemRow[] = []
  for (const item of lives.record.items) {
    yield
    items.push(itemRow(item, source, lives, operations))
  }
  return { source, requests: points.list(), items, lives, operations, last }
}

/** One request. */
export function requestAt(source: SessionSource, n: number): ReplayedRequest | null {
  for (const step of source.open().steps) if (step.kind === 'request' && step.n === n) return step
  return null
}

function itemRow(
  item: Item,
  { reverted }: SessionSource,
  lives: ItemLives,
  operations: ReadonlyMap<number, Operation>,
): ItemRow {
  const { index, handle, kind, role, turn, tokens } = item
  return {
    index,
    handle,
    kind,
    role,
    contextKind: contextKindOf(item, operations),
    turn,
    tokens,
    about: aboutItem(item, operations),
    preview: item.text.slice(0, longestPreview),
    tool: item.kind === 'call' || item.kind === 'result' ? item.tool : null,
    isError: item.kind === 'result' && item.status === 'error',
    isProtected: reverted.has(handle),
    spans: lives.spansOf(item).map((span) => spanOf(span, item)),
  }
}

function spanOf({ from, to, shown, text, decision }: LifeSpan, item: Item): ItemSpan {
  const isGone = shown === 'absent' || shown === 'left out'
  return {
    from,
    to,
    shown,
    text: text === null ? null : text.slice(0, longestShown),
    tokens: isGone ? 0 : text === null ? item.tokens : estimateTokens(text),
    reason: decision?.reason ?? null,
    strategy: decision?.strategy ?? null,
    by: decision?.by ?? null,
  }
}

/** null when no item has the handle. */
export function itemDetail(
  { lives, operations, source }: ReadSession,
  handle: string,
): ItemDetail | null {
  const item = lives.find(handle)
  if (item === undefined) return null
  const need = needOf({ lives, operations }, item)
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  return {
    handle: item.handle,
    text: item.text,
    media: item.kind === 'attachment' ? item.media : null,
    replacedBy: lives.replacements(item).map((each) => each.handle),
    replaces: lives.replaced(item).map((each) => each.handle),
    retention: null,
    need:
      need === null
        ? null
        : [
            `${percent(Math.max(need.anchor, need.name))} chance that it is needed again`,
            ...need.reasons,
          ].join(', '),
    restore: `palimpsest restore ${item.handle} --session ${source.id}`,
  }
}

/** The items that contain a text, in upper or lower case. */
export function searchItems({ lives }: ReadSession, text: string): SearchResult {
  const wanted = text.toLowerCase()
  const matches: { index: number; excerpt: string }[] = []
  if (wanted.trim() === '') return { matches, truncated: false }
  for (const item of lives.record.items) {
    const at = item.text.toLowerCase().indexOf(wanted)
    if (at < 0) continue
    if (matches.length >= mostMatches) return { matches, truncated: true }
    const from = Math.max(0, at - longestExcerpt / 2)
    matches.push({ index: item.index, excerpt: item.text.slice(from, from + longestExcerpt) })
  }
  return { matches, truncated: false }
}
