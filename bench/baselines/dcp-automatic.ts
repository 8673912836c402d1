import { isJsonObject, parseJson } from '../../src/core/words/json.ts'
import type { Policy } from '../score/policy.ts'
import { prefixTokens, type Rendition } from '../score/session.ts'
import { charactersWith, type StandIn, showWith } from './stand-in.ts'

interface DcpOptions {
  /** Context at which the model is asked to compress, and growth after which it is asked again. */
  readonly everyTokens: number
  /** Age in turns at which the input of a failed call is removed. */
  readonly errorTurns: number
}

const removedOutput: StandIn = {
  how: 'discarded',
  text: '[Output removed to save context - information superseded or no longer needed]',
}
const removedInput = '[input removed due to failed tool call]'
/** Their outputs stay although they count as duplicates. */
const keptOutputs: ReadonlySet<string> = new Set(['edit', 'write', 'question'])

/**
 * The automatic strategies of DCP without its model-written summaries. They run when the model calls `compress`,
 * which a replay cannot know; DCP asks for it from 50,000 tokens of context on, so that they run here whenever the
 * context has grown by that much.
 */
export function dcpAutomaticWith({ everyTokens, errorTurns }: DcpOptions): Policy {
  return {
    name: 'dcp-auto',
    source: 'opencode-dynamic-context-pruning 3.1, strategies deduplication and purgeErrors',
    parameters: `run every ${everyTokens} tokens of growth, purgeErrors.turns=${errorTurns}, supersedeWrites off as shipped`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      const turns = new Map<number, number>()
      let ranAt = 0
      return ({ n, view }) => {
        for (const { item } of view) if (!turns.has(item.i)) turns.set(item.i, n)
        const tokens = prefixTokens + charactersWith(view, standIns) / 4
        ranAt = Math.min(ranAt, tokens)
        if (tokens - ranAt >= everyTokens) {
          ranAt = tokens
          for (const { item } of duplicates(view)) standIns.set(item.i, removedOutput)
          for (const call of failedCalls(view)) {
            const age = n - (turns.get(call.item.i) ?? n)
            const text = age >= errorTurns ? withoutStrings(call.text) : null
            if (text !== null) standIns.set(call.item.i, { how: 'stripped', text })
          }
        }
        return showWith(view, standIns)
      }
    },
  }
}

/** Results of calls that a later one repeats, with the same tool and input. */
function duplicates(view: readonly Rendition[]): readonly Rendition[] {
  const signatures = new Map<string, string>()
  for (const { item } of view) {
    if (item.kind === 'call' && item.call !== null)
      signatures.set(item.call, `${item.tool}::${canonical(item.text)}`)
  }
  const newest = new Map<string, Rendition>()
  const found: Rendition[] = []
  for (const shown of view) {
    const { item } = shown
    const signature = signatures.get(item.call ?? '')
    if (item.kind !== 'result' || signature === undefined) continue
    const older = newest.get(signature)
    newest.set(signature, shown)
    if (older === undefined || older.how !== 'full' || older.item.status !== 'ok') continue
    if (!keptOutputs.has((older.item.tool ?? '').toLowerCase())) found.push(older)
  }
  return found
}

function failedCalls(view: readonly Rendition[]): readonly Rendition[] {
  const failed = new Set(
    view.flatMap(({ item }) =>
      item.kind === 'result' && item.status === 'error' ? [item.call] : [],
    ),
  )
  return view.filter(({ item }) => item.kind === 'call' && failed.has(item.call))
}

/** The input with sorted keys and without null values. */
function canonical(text: string): string {
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered)
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner)]))
  }
  const input = parseJson(text) ?? text
  if (!isJsonObject(input)) return JSON.stringify(ordered(input))
  const said = Object.entries(input).filter(([, value]) => value !== null)
  return JSON.stringify(ordered(Object.fromEntries(said)))
}

/** null when there is no string to remove. */
function withoutStrings(text: string): string | null {
  const input = parseJson(text) ?? text
  if (!isJsonObject(input)) return null
  const entries = Object.entries(input)
  if (!entries.some(([, value]) => typeof value === 'string')) return null
  const stripped = entries.map(([key, value]): readonly [string, unknown] => [
    key,
    typeof value === 'string' ? removedInput : value,
  ])
  return JSON.stringify(Object.fromEntries(stripped))
}

export const dcpAutomatic: Policy = dcpAutomaticWith({ everyTokens: 50_000, errorTurns: 4 })
