import { describe, expect, it } from 'vitest'
import {
  engineFor,
  messagesOf,
  only,
  type ToldCall,
  type ToldTurn,
  tell,
} from '../../test/engine/told-session.ts'
import type { Engine } from '../core/engine.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'
import { createDecidedItems, type DecidedItem } from './decided-items.ts'
import { pruningTallies, type StrategyTally, strategyStats } from './stats.ts'
import { effectivenessTable } from './stats-table.ts'
import { countPruned, statusLine } from './status-line.ts'

const text = 'a line of some length that is there to be looked at\n'.repeat(10)
const fetch = (id: string, url: string, output = text): ToldCall => ({
  id,
  tool: 'webfetch',
  input: { url },
  output,
})
const bash = (id: string, command: string, output: string): ToldCall => ({
  id,
  tool: 'bash',
  input: { command },
  output,
})
const settings = only({
  pruneSourceUrls: true,
  pruneToolInputs: true,
  deduplication: { enabled: true, mode: 'supersede', protectedTools: [] },
  largeOutputs: { enabled: true, bashTruncate: 10_000, allTools: false },
})

/** Sends every request of the session; gives what was decided, and the engine. */
function run(
  turns: readonly ToldTurn[],
  chosen: Settings = settings,
): { items: readonly DecidedItem[]; engine: Engine } {
  const engine = engineFor(chosen)
  const decided = createDecidedItems()
  for (let told = 0; told <= turns.length; told++) {
    decided.observe(engine, engine.request(messagesOf(turns.slice(0, told))))
  }
  return { items: decided.all(), engine }
}

const none: StrategyTally = { count: 0, tokens: 0, applied: 0 }
const noKinds = {
  hash: none,
  file: none,
  todo: none,
  url: none,
  search: none,
  query: none,
  snapshot: none,
  retry: none,
  context: none,
}

describe('strategy statistics', () => {
  it('count each item once, under its kind, with what it saves in the end', () => {
    const { items, engine } = run([
      [fetch('f1', 'https://example.org/a')],
      [fetch('f2', 'https://example.org/a#top')],
    ])
    const [decision] = engine.ledger.decided().map((item) => engine.ledger.of(item))
    const tokens = estimateTokens(text) - estimateTokens(decision?.rendition.text ?? '')
    expect(tokens).toBeGreaterThan(50)
    expect(strategyStats(items)).toEqual({
      autoSupersede: { ...noKinds, url: { count: 1, tokens, applied: 1 } },
    })
  })

  it('count an item that was cut and then replaced under what replaced it, and not twice', () => {
    const long = 'x '.repeat(8000)
    const cut = run([[bash('b1', 'make', long)]])
    expect(strategyStats(cut.items)).toEqual({
      autoSupersede: noKinds,
      largeOutputs: { count: 1, tokens: expect.any(Number), applied: 1 },
    })
    const { items } = run([[bash('b1', 'make', long)], [bash('b2', 'make', 'made')]])
    const { autoSupersede, ...others } = strategyStats(items)
    expect(others).toEqual({})
    expect(autoSupersede.hash.count).toBe(1)
    expect(autoSupersede.hash.tokens).toBeGreaterThan(
      pruningTallies(strategyStats(cut.items))[0]?.[1].tokens ?? 0,
    )
  })

  it('do not count what was taken back', () => {
    const { engine } = tell(
      [[fetch('f1', 'https://example.org/a')], [fetch('f2', 'https://example.org/a')]],
      settings,
    )
    const decided = createDecidedItems()
    const observed = engine.request(
      messagesOf([[fetch('f1', 'https://example.org/a')], [fetch('f2', 'https://example.org/a')]]),
    )
    expect(decided.observe(engine, observed)).toHaveLength(1)
    const [item] = decided.all()
    expect(engine.undo(item?.decision.handle ?? '')).toBe(true)
    decided.observe(engine, observed)
    expect(strategyStats(decided.all())).toEqual({ autoSupersede: noKinds })
  })

  it('tell what is decided from what a request has shown', () => {
    const turns: readonly ToldTurn[] = [[bash('b1', 'make', text)], []]
    const engine = engineFor(settings)
    const decided = createDecidedItems()
    const first = engine.request(messagesOf(turns))
    const handle = engine.record.items.find((item) => item.kind === 'result')?.handle ?? ''
    const asked = { reason: 'agent', strategy: 'context_prune' } as const
    engine.ask(handle, { ...asked, rendition: { how: 'discarded', text: `[${handle}]` } })
    decided.observe(engine, first)
    expect(strategyStats(decided.all()).context_prune).toMatchObject({ count: 1, applied: 0 })
    decided.observe(engine, engine.request(messagesOf([...turns, []])))
    expect(strategyStats(decided.all()).context_prune).toMatchObject({ count: 1, applied: 1 })
  })

  it('count what is decided again after the agent compacted its history as the same', () => {
    const turns: readonly ToldTurn[] = [
      [bash('b0', 'pwd; date', text)],
      [bash('b1', 'make', text)],
      [bash('b2', 'make', text)],
      [bash('b3', 'pwd; date', text)],
    ]
    const engine = engineFor(settings)
    const decided = createDecidedItems()
    const all = messagesOf(turns)
    expect(decided.observe(engine, engine.request(all))).toHaveLength(2)
    const summary: MessageDraft = { role: 'user', items: [{ kind: 'text', text: 'Summary.' }] }
    // The first call is gone, and with it the decision about it; that about `make` is made once more.
    const compacted = [summary, ...all.slice(3)]
    expect(decided.observe(engine, engine.request(compacted))).toEqual([])
    expect(engine.ledger.decided()).toHaveLength(1)
    expect(strategyStats(decided.all()).autoSupersede.hash).toMatchObject({ count: 2, applied: 2 })
  })

  it('count a result once, though its handle changes when the agent clears another beside it', () => {
    const both = [bash('b1', 'make', text), bash('b2', 'date', text)]
    const again = [bash('b3', 'make', text)]
    const engine = engineFor(settings)
    const decided = createDecidedItems()
    decided.observe(engine, engine.request(messagesOf([both, again])))
    const [before] = engine.ledger.decided().map((item) => engine.ledger.of(item)?.handle)
    const cleared = [bash('b1', 'make', text), bash('b2', 'date', '[cleared]')]
    decided.observe(engine, engine.request(messagesOf([cleared, again])))
    const [after] = engine.ledger.decided().map((item) => engine.ledger.of(item)?.handle)
    expect(after).not.toBe(before)
    expect(strategyStats(decided.all()).autoSupersede.hash).toMatchObject({ count: 1, applied: 1 })
  })
})

describe('the effectiveness table', () => {
  it('has the documented columns, a star for the best, and nothing without effect', () => {
    const stats = {
      autoSupersede: {
        ...noKinds,
        hash: { count: 7, tokens: 2340, applied: 7 },
        todo: { count: 104, tokens: 999, applied: 100 },
        snapshot: { count: 1, tokens: 12, applied: 1 },
      },
      purgeErrors: { count: 3, tokens: 16_000, applied: 3 },
      pruneFiles: none,
    }
    expect(effectivenessTable(stats)).toEqual([
      'Strategy Effectiveness:',
      '─'.repeat(60),
      '  Auto-Supersede       112 prunes, ~3.4k saved (108 applied)',
      '    🔄 hash              7 prunes, ~2.3k',
      '    ✅ todo            104 prunes, ~999 (100 applied)',
      '    📸 snapshot          1 prunes, ~12',
      '  purgeErrors            3 prunes, ~16k saved ⭐',
    ])
  })

  it('says so when there is nothing', () => {
    expect(effectivenessTable(strategyStats([]))).toEqual([
      'Strategy Effectiveness:',
      '─'.repeat(60),
      '  no prunes yet',
    ])
  })
})

describe('the status line', () => {
  it('counts messages, thinking blocks and tools, and leaves out what there is none of', () => {
    const counts = {
      messages: { count: 3, tokens: 1_500_000 },
      thinking: { count: 12, tokens: 20_000 },
      tools: { count: 1, tokens: 999_949 },
    }
    expect(statusLine(counts)).toBe('「 💬 3(1.5M) ▼ + 🧠 12(20K) ▼ + ⚙️ 1(999.9K) ▼ 」')
    const no = { count: 0, tokens: 0 }
    expect(statusLine({ ...counts, messages: no, tools: no })).toBe('「 🧠 12(20K) ▼ 」')
    expect(statusLine({ messages: no, thinking: no, tools: no })).toBeNull()
  })

  it('counts a tool once for its input and its result', () => {
    const files = only({ files: 'one-view', pruneToolInputs: true })
    const write = (id: string, content: string): ToldTurn => [
      { id, tool: 'write', input: { filePath: '/p/a.ts', content }, output: `wrote it. ${text}` },
    ]
    const { items } = run([write('w1', text), write('w2', 'short')], files)
    expect(items.map(({ item }) => item.kind).sort()).toEqual(['call', 'result'])
    expect(countPruned(items)).toEqual({
      messages: { count: 0, tokens: 0 },
      thinking: { count: 0, tokens: 0 },
      tools: { count: 1, tokens: expect.any(Number) },
    })
  })
})
