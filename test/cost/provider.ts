import { hourMs, lookbackBlocks, termsOf } from './models.ts'
import {
  createTokenCounter,
  type Prompt,
  type PromptBlock,
  promptOf,
  type TokenCounter,
} from './prompt.ts'

/** How the input of a request was billed, in tokens, and its price. */
export interface Bill {
  readonly input: number
  readonly read: number
  readonly written: number
  /** The part of `written` that lives for an hour. */
  readonly writtenLong: number
  readonly dollars: number
}

export interface ProviderOptions {
  /** Shared by providers that see much of the same text. */
  readonly count?: TokenCounter
  /** Keeps entries for another time than it documents and the client asks for, and bills them so. */
  readonly trueLifetimeMs?: number | undefined
}

/** A provider's prompt cache as its documentation describes it, written without regard to how the product models it. */
export interface Provider {
  /** Bills a request at a time, in milliseconds, to an organisation. Each has a cache of its own. */
  bill(body: string, at: number, organisation: string): Bill
}

/** A prefix of prompts: block by block, from the beginning. */
interface Prefix {
  readonly next: Map<string, Prefix>
  /** An entry ends here, and until when; null when none was ever written. */
  entry: { until: number; lifetimeMs: number } | null
}

interface Sent {
  readonly blocks: readonly PromptBlock[]
  at: number
}

export function createProvider(options: ProviderOptions = {}): Provider {
  const { trueLifetimeMs, count = createTokenCounter() } = options
  const entries = new Map<string, Prefix>()
  const sent = new Map<string, Sent[]>()
  return {
    bill(body, at, organisation) {
      const prompt = promptOf(body, count)
      const key = `${organisation} ${prompt.model}`
      if (termsOf(prompt.model).api === 'anthropic') {
        const root = entries.get(key) ?? emptyPrefix()
        entries.set(key, root)
        return billBreakpoints(prompt, root, at, trueLifetimeMs)
      }
      const earlier = sent.get(key) ?? []
      const lifetimeMs = trueLifetimeMs ?? termsOf(prompt.model).lifetimeMs
      const alive = earlier.filter((each) => at - each.at <= lifetimeMs)
      sent.set(key, [...alive, { blocks: prompt.blocks, at }])
      return billAutomatic(prompt, alive, count)
    },
  }
}

function emptyPrefix(): Prefix {
  return { next: new Map(), entry: null }
}

/** Claude: entries are written at breakpoints only, and found within 20 blocks before one. A use refreshes them. */
function billBreakpoints(
  { model, blocks }: Prompt,
  root: Prefix,
  at: number,
  trueLifetimeMs: number | undefined,
): Bill {
  const { minimumTokens } = termsOf(model)
  const prefixes: Prefix[] = [root]
  const tokens = [0]
  for (const [index, block] of blocks.entries()) {
    const { next } = prefixes[index] as Prefix
    const known = next.get(block.text) ?? emptyPrefix()
    next.set(block.text, known)
    prefixes.push(known)
    tokens.push((tokens[index] as number) + block.tokens)
  }
  const marked = blocks
    .map(({ breakpoint }, index) => ({ end: index + 1, breakpoint }))
    .filter(({ end, breakpoint }) => breakpoint !== null && (tokens[end] ?? 0) >= minimumTokens)
    .slice(-4)
  const readTo = Math.max(0, ...marked.map(({ end }) => newestEntry(prefixes, end, at)))
  let writtenTo = readTo
  let written = 0
  let writtenLong = 0
  for (const { end, breakpoint } of marked) {
    const prefix = prefixes[end] as Prefix
    const asked = breakpoint === '1h' ? hourMs : termsOf(model).lifetimeMs
    const lifetimeMs = trueLifetimeMs ?? asked
    if (end > readTo || prefix.entry === null || prefix.entry.until < at)
      prefix.entry = { until: at + lifetimeMs, lifetimeMs }
    else prefix.entry.until = at + prefix.entry.lifetimeMs
    const added = Math.max(0, (tokens[end] as number) - (tokens[writtenTo] as number))
    written += added
    if (lifetimeMs >= hourMs) writtenLong += added
    writtenTo = Math.max(writtenTo, end)
  }
  const hit = prefixes[readTo]?.entry
  if (hit) hit.until = at + hit.lifetimeMs
  const read = tokens[readTo] as number
  return priced(model, { input: tokens.at(-1) as number, read, written, writtenLong })
}

/** The longest prefix with a living entry, searched backwards from a breakpoint; 0 when there is none. */
function newestEntry(prefixes: readonly Prefix[], end: number, at: number): number {
  for (let depth = end; depth > 0 && end - depth < lookbackBlocks; depth--) {
    const entry = prefixes[depth]?.entry
    if (entry && entry.until >= at) return depth
  }
  return 0
}

/** OpenAI: every prefix of an earlier prompt is found, in steps of 128 tokens. */
function billAutomatic(
  { model, blocks }: Prompt,
  earlier: readonly Sent[],
  count: TokenCounter,
): Bill {
  const { minimumTokens, stepTokens, write } = termsOf(model)
  const input = blocks.reduce((sum, { tokens }) => sum + tokens, 0)
  const shared = Math.max(0, ...earlier.map((each) => sharedTokens(blocks, each.blocks, count)))
  const read = shared < minimumTokens ? 0 : shared - (shared % stepTokens)
  const written = write > 1 && input >= minimumTokens ? input - read : 0
  return priced(model, { input, read, written, writtenLong: 0 })
}

function sharedTokens(
  blocks: readonly PromptBlock[],
  earlier: readonly PromptBlock[],
  count: TokenCounter,
): number {
  let tokens = 0
  for (const [index, block] of blocks.entries()) {
    const other = earlier[index]
    if (other === undefined) return tokens
    if (other.text !== block.text) return tokens + count(commonStart(block.text, other.text))
    tokens += block.tokens
  }
  return tokens
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

function priced(model: string, { input, read, written, writtenLong }: Omit<Bill, 'dollars'>): Bill {
  const terms = termsOf(model)
  const uncached = input - read - written
  const units =
    read * terms.read +
    (written - writtenLong) * terms.write +
    writtenLong * terms.longWrite +
    uncached
  return { input, read, written, writtenLong, dollars: (units * terms.inputPrice) / 1_000_000 }
}
