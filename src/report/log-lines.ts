import type { Engine } from '../core/engine.ts'
import { searchKey } from '../core/propose/supersede/search.ts'
import { normalisedUrl } from '../core/propose/supersede/url.ts'
import { cutMiddle, oneLine } from '../core/render/cut.ts'
import { describeOperation, nameOperation } from '../core/render/index.ts'
import type { SupersedeKind } from '../core/words/decision.ts'
import type { Item } from '../core/words/item.ts'
import type { Operation } from '../core/words/operation.ts'
import { type DecidedItem, savedTokens } from './decided-items.ts'
import { shortTokens } from './short-tokens.ts'
import { hasEffect, isSupersedeKind, supersedeKinds, supersedeSigns } from './stats.ts'

const keyLimit = 120

/** The decisions of one request as log lines, in the documented order of the kinds. */
export function logLines(
  decided: readonly DecidedItem[],
  engine: Pick<Engine, 'record' | 'operationOf'>,
): readonly string[] {
  const rank = ({ decision }: DecidedItem): number =>
    isSupersedeKind(decision.reason) ? supersedeKinds.indexOf(decision.reason) : Infinity
  return decided
    .filter(hasEffect)
    .toSorted((one, other) => compare(rank(one), rank(other)))
    .map((each) => logLine(each, engine))
}

/** Both ranks may be infinite, and their difference is then not a number. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

/**
 * A decision as one log line. It names what superseded the item as it is in the engine's last request.
 *
 * ```
 * [auto-supersede] 🔄 hash abc123: call_001 → call_002
 * [auto-supersede] 📁 file /src/app.ts: read call_001 superseded by write
 * [auto-supersede] ✅ todo: pruned old todowrite call_001
 * [prune] purgeErrors abc123: bash call_001 discarded, ~1.2K saved
 * ```
 */
export function logLine(
  decided: DecidedItem,
  engine: Pick<Engine, 'record' | 'operationOf'>,
): string {
  const { item, decision } = decided
  const { reason, by } = decision
  const newer = by === null ? undefined : engine.record.items[by]
  if (!isSupersedeKind(reason)) return pruneLine(decided)
  const operation = engine.operationOf(item)
  const head = `[auto-supersede] ${supersedeSigns[reason]} ${reason}`
  switch (reason) {
    case 'todo':
    case 'context':
      return `${head}: pruned old ${toolOf(item)} ${nameOf(item)}`
    case 'file': {
      const by = newer === undefined ? undefined : engine.operationOf(newer)
      const what = operation === undefined ? toolOf(item) : nameOperation(operation)
      const path = sharedPath(operation, by)
      return `${head} ${path}: ${what} ${nameOf(item)} superseded by ${by === undefined ? 'newer' : nameOperation(by)}`
    }
    default: {
      const pair = newer === undefined ? nameOf(item) : `${nameOf(item)} → ${nameOf(newer)}`
      return `${head} ${keyOf(reason, decided, operation)}: ${pair}`
    }
  }
}

function pruneLine(decided: DecidedItem): string {
  const { item, decision } = decided
  const what = [toolOf(item), nameOf(item)].filter((part, at, all) => all.indexOf(part) === at)
  const saved = `~${shortTokens(savedTokens(decided))} saved`
  const { how } = decision.rendition
  return `[prune] ${decision.strategy} ${decision.handle}: ${what.join(' ')} ${how}, ${saved}`
}

/** What the call is about, in the form of its kind; for `hash`, the handle that restores the item. */
function keyOf(
  kind: SupersedeKind,
  { decision }: DecidedItem,
  operation: Operation | undefined,
): string {
  const action = operation?.action
  if (kind === 'url' && action?.kind === 'fetch') {
    return short(action.url === null ? (action.query ?? '') : normalisedUrl(action.url))
  }
  if (kind === 'search' && action !== undefined) return short(searchKey(action) ?? decision.handle)
  if (kind === 'query' && action?.kind === 'shell') return short(action.query ?? action.command)
  if (kind === 'retry' && operation !== undefined) return short(describeOperation(operation))
  return decision.handle
}

/** The file that both are about, when they name several. */
function sharedPath(older: Operation | undefined, newer: Operation | undefined): string {
  const paths = older?.effects.named ?? []
  const others = new Set(newer?.effects.named)
  return short(paths.find((path) => others.has(path)) ?? paths[0] ?? '')
}

function short(text: string): string {
  return cutMiddle(oneLine(text), keyLimit)
}

function toolOf(item: Item): string {
  return (item.kind === 'call' || item.kind === 'result') && item.tool !== ''
    ? item.tool
    : item.kind
}

/** Calls are named by their ids. */
function nameOf(item: Item): string {
  switch (item.kind) {
    case 'call':
    case 'result':
      return item.call
    default:
      return item.handle
  }
}
