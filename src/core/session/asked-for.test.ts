import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../actions/understand.ts'
import type { ConfigFile } from '../../config/config.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { createEngine, type Engine } from '../engine.ts'
import type { MessageDraft } from '../words/item.ts'
import type { LedgerEntry } from '../words/ledger.ts'

const words = Array.from({ length: 30 }, (_, n) => `a long line of output, number ${n}`).join('\n')
const user = (text: string): MessageDraft => ({ role: 'user', items: [{ kind: 'text', text }] })
const turn = (id: string, tool: string, input: object, text: string): MessageDraft[] => [
  { role: 'assistant', items: [{ kind: 'call', tool, call: id, text: JSON.stringify(input) }] },
  { role: 'tool', items: [{ kind: 'result', tool, call: id, status: 'ok', text }] },
]
const fetched = (id: string): MessageDraft[] =>
  turn(id, 'webfetch', { url: 'https://example.org/a' }, `${id} ${words}`)
const ran = (id: string): MessageDraft[] => turn(id, 'bash', { command: id }, words)
const engineWith = (config: ConfigFile, ledger: readonly LedgerEntry[] = []): Engine =>
  createEngine({
    restore: { tool: 'context_restore' },
    settings: resolveSettings(config),
    understanding: () => createUnderstanding({ cwd: '/home/dev/app' }),
    ledger,
  })
const hiddenCalls = (engine: Engine, messages: readonly MessageDraft[]): unknown[] =>
  engine.request(messages).changes.map(({ message, item }) => {
    const draft = messages[message]?.items[item]
    return draft !== undefined && 'call' in draft ? draft.call : null
  })
const handleOf = (engine: Engine, call: string): string =>
  engine.record.items.find((item) => item.kind === 'result' && item.call === call)?.handle ?? ''
const discard = {
  reason: 'agent',
  strategy: 'context_prune',
  rendition: { how: 'discarded', text: '[gone]' },
} as const

const start = [user('look it up'), ...fetched('c1'), ...fetched('c2')]
const main = [...start, ...ran('c3'), ...ran('c4')]

describe('what somebody asked for', () => {
  it('holds again when the session goes on after another branch was looked at', () => {
    const engine = engineWith({ preset: 'acp' })
    expect(hiddenCalls(engine, main)).toEqual(['c1'])
    expect(engine.undo(handleOf(engine, 'c1'))).toBe(true)
    expect(engine.ask(handleOf(engine, 'c3'), discard)).toBe(true)
    expect(hiddenCalls(engine, [...start, user('another way')])).toEqual(['c1'])
    expect(hiddenCalls(engine, [...main, ...ran('c5')])).toEqual(['c3'])
  })

  it('holds when the user puts the last message otherwise', () => {
    const engine = engineWith({ preset: 'acp' })
    engine.request([...main, user('go on')])
    engine.undo(handleOf(engine, 'c1'))
    expect(hiddenCalls(engine, [...main, user('go on, please')])).toEqual([])
  })

  it('holds when the agent compacts, though turns are counted anew', () => {
    const engine = engineWith({ preset: 'acp' })
    engine.request(main)
    engine.undo(handleOf(engine, 'c1'))
    engine.ask(handleOf(engine, 'c4'), discard)
    const compacted = [...start, user('summary of the rest'), ...ran('c4')]
    expect(hiddenCalls(engine, compacted)).toEqual(['c4'])
    expect(hiddenCalls(engine, [...compacted, ...ran('c5')])).toEqual(['c4'])
  })

  it('holds when the same is decided only later in the history that takes it over', () => {
    const engine = engineWith({ preset: 'acp' })
    engine.request(main)
    engine.undo(handleOf(engine, 'c1'))
    const rewound = main.slice(0, 3)
    expect(hiddenCalls(engine, rewound)).toEqual([])
    expect(hiddenCalls(engine, [...rewound, ...fetched('c9'), ...ran('c10')])).toEqual([])
  })

  it('is not done later when it was refused: whoever asked was told so', () => {
    const engine = engineWith({ preset: 'balanced', turnProtection: 2 })
    engine.request(main)
    expect(engine.ask(handleOf(engine, 'c4'), discard)).toBe(false)
    const longer = [...main, ...ran('c5'), ...ran('c6'), ...ran('c7'), ...ran('c8')]
    expect(hiddenCalls(engine, longer)).not.toContain('c4')
  })

  it('is not done to a call that has not completed', () => {
    const engine = engineWith({ preset: 'acp' })
    const running = [...main, ...ran('c5').slice(0, 1)]
    engine.request(running)
    const call = engine.record.items.find((item) => item.kind === 'call' && item.call === 'c5')
    const stripped = { ...discard, rendition: { how: 'stripped', text: '{}' } } as const
    expect(engine.ask(call?.handle ?? '', stripped)).toBe(false)
  })
})

describe('a decision that does not show yet', () => {
  const idle = ['c3', 'c4', 'c5', 'c6', 'c7', 'c8'].flatMap(ran)
  const pruned = turn('c9', 'context_prune', { action: 'discard', targets: [] }, 'ok')

  it.each([
    ['waits for an epoch', { preset: 'acp', schedule: 'on-demand' }],
    ['waits for the protected turns to pass', { preset: 'acp', turnProtection: 4 }],
    ['waits for both', { preset: 'acp', schedule: 'on-demand', turnProtection: 4 }],
  ] as const)('can be taken back, for good, when it %s', (_, config) => {
    const engine = engineWith(config)
    const rest = [...idle, ...pruned, ...ran('c10')]
    expect(hiddenCalls(engine, [...start, ...ran('c0')])).toEqual([])
    const handle = handleOf(engine, 'c1')
    expect([engine.undo(handle), engine.undo(handle)]).toEqual([true, false])
    const written = JSON.parse(JSON.stringify(engine.ledger.entries)) as LedgerEntry[]
    const longer = [...start, ...ran('c0'), ...rest]
    expect(hiddenCalls(engine, longer)).not.toContain('c1')
    expect(hiddenCalls(engineWith(config, written), longer)).not.toContain('c1')
    expect(hiddenCalls(engineWith(config), longer)).toContain('c1')
  })

  it('is the only one that can be: nothing is taken back where nothing is decided', () => {
    const engine = engineWith({ preset: 'acp', turnProtection: 4 })
    engine.request(start)
    expect(engine.undo(handleOf(engine, 'c2'))).toBe(false)
  })
})

describe('a ledger that was written out', () => {
  it('makes another process show the same bytes, with what was asked for', () => {
    const first = engineWith({ preset: 'acp' })
    first.request(main)
    first.undo(handleOf(first, 'c1'))
    first.ask(handleOf(first, 'c3'), discard)
    const longer = [...main, ...fetched('c5'), ...ran('c6')]
    const expected = first.request(longer).changes
    const written = JSON.parse(JSON.stringify(first.ledger.entries)) as LedgerEntry[]
    const second = engineWith({ preset: 'acp' }, written)
    expect(second.request(longer).changes).toEqual(expected)
    expect(JSON.stringify(second.ledger.entries)).toBe(JSON.stringify(first.ledger.entries))
  })
})

describe('a request that is sent again with more in it', () => {
  it('is decided about with what is new', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n + 1}\tconst value${n} = compute(${n})`)
    const read = (id: string, count: number): MessageDraft[] =>
      turn(id, 'Read', { file_path: '/home/dev/app/a.ts' }, lines.slice(0, count).join('\n'))
    const [readCall, readResult] = read('c5', 40)
    const [runCall, runResult] = ran('c4')
    const both = { ...runCall, items: [runCall, readCall].flatMap((each) => each?.items ?? []) }
    const messages = [
      ...[user('go'), ...read('c1', 20), ...ran('c2'), ...ran('c3')],
      ...[both as MessageDraft, runResult as MessageDraft, readResult as MessageDraft],
    ]
    const config = { preset: 'balanced', schedule: 'eager', turnProtection: 0 } as const
    const engine = engineWith(config)
    engine.request(messages.slice(0, -1))
    const { changes } = engine.request(messages)
    expect(changes).toEqual(engineWith(config).request(messages).changes)
    expect(changes).toHaveLength(1)
  })
})
