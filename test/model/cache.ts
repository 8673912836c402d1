import { createHash } from 'node:crypto'
import type { ModelRequest } from './api.ts'
import { type CacheRules, cacheRules } from './families.ts'
import { type PromptBlock, prefixHashes } from './prompt.ts'

/** How a request's input divides: the three add up to `input`. `written` is 0 where the provider does not report it. */
export interface CacheFigures {
  readonly input: number
  readonly read: number
  readonly written: number
  /** The part of `written` that lives for an hour. */
  readonly writtenForAnHour: number
}

/** Simulates the provider's prefix cache; each call is one request, and leaves its prefix behind for the next. */
export interface PrefixCache {
  account(request: ModelRequest, blocks: readonly PromptBlock[], nowMs: number): CacheFigures
}

const charactersPerToken = 4
/** Providers look back this many blocks from a breakpoint for an entry of an earlier request. */
const lookbackBlocks = 20
/** Automatic caches count in steps of this many tokens. */
const stepTokens = 128

/** The simulated size of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}

export function createPrefixCache(): PrefixCache {
  const expiries = new Map<string, number>()
  return {
    account(request, blocks, nowMs) {
      const rules = cacheRules(request.api, request.model)
      return request.api === 'anthropic'
        ? accountBreakpoints(expiries, rules, request, blocks, nowMs)
        : accountSteps(expiries, rules, request, blocks, nowMs)
    },
  }
}

interface Breakpoint {
  /** Number of blocks that it covers. */
  readonly end: number
  readonly tokens: number
  readonly hour: boolean
}

function accountBreakpoints(
  expiries: Map<string, number>,
  rules: CacheRules,
  request: ModelRequest,
  blocks: readonly PromptBlock[],
  nowMs: number,
): CacheFigures {
  const hashes = prefixHashes(request.model, blocks)
  const totals = [0]
  for (const block of blocks) totals.push(totals.at(-1)! + tokensOf(block.text))
  const input = totals.at(-1)!
  const marked = blocks.flatMap((block, index) => {
    const tokens = totals[index + 1]!
    if (block.breakpoint === null || tokens < rules.minimumTokens) return []
    return [{ end: index + 1, tokens, hour: block.breakpoint === '1h' } satisfies Breakpoint]
  })
  const alive = (end: number): boolean => (expiries.get(hashes[end]!) ?? 0) > nowMs
  const readEnd = Math.max(0, ...marked.map((mark) => longestAlive(mark.end, alive)))
  const read = totals[readEnd]!

  let previous = read
  let written = 0
  let writtenForAnHour = 0
  for (const mark of marked) {
    const lifetimeMs = mark.hour ? 3_600_000 : rules.lifetimeMs
    expiries.set(hashes[mark.end]!, nowMs + lifetimeMs)
    const added = Math.max(0, mark.tokens - previous)
    written += added
    if (mark.hour) writtenForAnHour += added
    previous += added
  }
  // A read refreshes the entry that it found, which need not be one of this request's own.
  if (readEnd > 0) {
    const entry = hashes[readEnd]!
    expiries.set(entry, Math.max(expiries.get(entry) ?? 0, nowMs + rules.lifetimeMs))
  }
  return { input, read, written, writtenForAnHour }
}

function longestAlive(from: number, alive: (end: number) => boolean): number {
  for (let end = from; end > 0 && end > from - lookbackBlocks; end -= 1) if (alive(end)) return end
  return 0
}

function accountSteps(
  expiries: Map<string, number>,
  rules: CacheRules,
  request: ModelRequest,
  blocks: readonly PromptBlock[],
  nowMs: number,
): CacheFigures {
  const text = blocks.map((block) => block.text).join('\n')
  const stepCharacters = stepTokens * charactersPerToken
  let hash = request.model
  let read = 0
  let whole = 0
  let unbroken = true
  for (let end = stepCharacters; end <= text.length; end += stepCharacters) {
    const step = text.slice(end - stepCharacters, end)
    hash = createHash('sha256').update(`${hash}\n${step}`).digest('hex')
    unbroken &&= (expiries.get(hash) ?? 0) > nowMs
    whole += stepTokens
    if (unbroken) read = whole
    expiries.set(hash, nowMs + rules.lifetimeMs)
  }
  if (read < rules.minimumTokens) read = 0
  const written = rules.reportsWrites && whole >= rules.minimumTokens ? whole - read : 0
  return { input: tokensOf(text), read, written, writtenForAnHour: 0 }
}
