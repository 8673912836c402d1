import { estimateTokens } from '../../../src/core/record/tokens.ts'
import { differences } from '../differences.ts'
import { type FileShape, fileShapes } from './shapes.ts'
import type { SeenCall, SeenDecision, Side } from './side.ts'
import { asReplayed, isWireOnly, withoutWireOnly } from './wire-only.ts'

/** What a session did with one kind of file, live and replayed. */
export interface ShapeRow {
  readonly shape: string
  readonly calls: number
  readonly decisions: { readonly live: number; readonly replayed: number }
  /** Shown in all requests together. */
  readonly tokens: { readonly live: number; readonly replayed: number }
}

export interface Comparison {
  /** Each difference on a line: where it is, and what both sides say. */
  readonly operations: readonly string[]
  readonly knowledge: readonly string[]
  readonly decisions: readonly string[]
  readonly rows: readonly ShapeRow[]
}

const otherCalls = 'failing and repeated calls'

export function compareSides(live: Side, replayed: Side): Comparison {
  return {
    operations: operationDifferences(live, replayed),
    knowledge: knowledgeDifferences(live, replayed),
    decisions: decisionDifferences(live, replayed),
    rows: rowsOf(live, replayed),
  }
}

function operationDifferences(live: Side, replayed: Side): readonly string[] {
  const found: string[] = []
  const count = Math.max(live.calls.length, replayed.calls.length)
  for (let at = 0; at < count; at++) {
    const [here, there] = [live.calls[at], replayed.calls[at]]
    if (here === undefined || there === undefined) {
      found.push(`call ${at + 1} is only ${here === undefined ? 'replayed' : 'live'}`)
      continue
    }
    const [shown, recorded] = withoutWireOnly(here, there)
    for (const path of differences(shown, recorded))
      found.push(
        `call ${at + 1} (${here.tool})${path}: ${valueAt(shown, path)} live, ${valueAt(recorded, path)} replayed`,
      )
    const unlisted = here.injected.filter(
      (each) => !isWireOnly(each) && !there.injected.some(({ text }) => text === each.text),
    )
    for (const { kind, text } of unlisted)
      found.push(
        `call ${at + 1} (${here.tool}).injected: ${kind} ${JSON.stringify(text)} only live`,
      )
  }
  return found
}

/** The last answer is in no request, so the live side knows nothing of its turn. */
function knowledgeDifferences(live: Side, replayed: Side): readonly string[] {
  const lastTurn = `turn ${live.requests.length} `
  const keys = new Set([...live.knowledge.keys(), ...replayed.knowledge.keys()])
  return [...keys].flatMap((key) => {
    if (key.startsWith(lastTurn)) return []
    const [here, there] = [live.knowledge.get(key), replayed.knowledge.get(key)]
    return differences(here, there).map(
      (path) => `${key}${path}: ${valueAt(here, path)} live, ${valueAt(there, path)} replayed`,
    )
  })
}

function decisionDifferences(live: Side, replayed: Side): readonly string[] {
  const [here, there] = [live, replayed].map(({ decisions, epochs }) => [
    ...decisions.filter(isOnTheWire).map(spelled),
    ...epochs.map((epoch) => `epoch ${epoch}`),
  ]) as [string[], string[]]
  return [
    ...here.filter((each) => !there.includes(each)).map((each) => `only live: ${each}`),
    ...there.filter((each) => !here.includes(each)).map((each) => `only replayed: ${each}`),
  ]
}

/** OpenCode records where each step begins and ends; the wire has no such items. */
function isOnTheWire({ item }: SeenDecision): boolean {
  return !item.includes('marker')
}

function spelled({ turn, item, how, by, reason, strategy }: SeenDecision): string {
  return `turn ${turn}: ${item} ${how} by ${by ?? 'nothing'} for ${reason} (${strategy})`
}

function valueAt(value: unknown, path: string): string {
  const found = path
    .split('.')
    .slice(1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
  return (JSON.stringify(found) ?? 'nothing').slice(0, 200)
}

function rowsOf(live: Side, replayed: Side): readonly ShapeRow[] {
  const groups = new Map<string, string[]>(
    [...fileShapes.map(({ name }) => name), otherCalls].map((name) => [name, []]),
  )
  for (const call of live.calls)
    groups.get(groupOf(call))?.push(call.name, call.name.replace('call', 'result'))
  return [...groups].map(([shape, items]) => {
    const own = new Set(items)
    const decided = ({ decisions }: Side): number =>
      decisions.filter(({ item }) => own.has(item)).length
    return {
      shape,
      calls: items.length / 2,
      decisions: { live: decided(live), replayed: decided(replayed) },
      tokens: { live: tokensOf(live, own), replayed: tokensOf(replayed, own) },
    }
  })
}

function groupOf({ input, status }: SeenCall): string {
  const named = fileShapes.find(({ path }: FileShape) => input.includes(path))
  return named === undefined || status === 'error' ? otherCalls : named.name
}

/** Live and replayed handles differ, and so do their tokens. */
const handle = /\b[0-9a-f]{6}\b/g

function tokensOf({ requests }: Side, items: ReadonlySet<string>): number {
  let tokens = 0
  for (const request of requests)
    for (const [item, text] of request)
      if (items.has(item)) tokens += estimateTokens(asReplayed(text).replaceAll(handle, 'a1b2c3'))
  return tokens
}
