import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../actions/understand.ts'
import type { ConfigFile } from '../config/config.ts'
import { resolveSettings } from '../config/resolve.ts'
import { createEngine, type Engine } from './engine.ts'
import type { MessageDraft } from './words/item.ts'

const listing = Array.from(
  { length: 30 },
  (_, line) => `a long line of output, number ${line}`,
).join('\n')
const user = (text: string): MessageDraft => ({ role: 'user', items: [{ kind: 'text', text }] })
const turn = (id: string, tool: string, input: object, text = listing): MessageDraft[] => [
  { role: 'assistant', items: [{ kind: 'call', tool, call: id, text: JSON.stringify(input) }] },
  { role: 'tool', items: [{ kind: 'result', tool, call: id, status: 'ok', text }] },
]
const fetched = (id: string): MessageDraft[] =>
  turn(id, 'webfetch', { url: 'https://example.org/a' }, `${id} ${listing}`)
const engineWith = (config: ConfigFile): Engine =>
  createEngine({
    restore: { tool: 'context_restore' },
    settings: resolveSettings(config),
    understanding: () => createUnderstanding({ cwd: '/home/dev/app' }),
  })
const shown = (engine: Engine, messages: readonly MessageDraft[]): unknown[] =>
  engine.request(messages).changes.map(({ message, item, text }) => [message, item, text])

const session = [
  user('look it up'),
  ...fetched('c1'),
  ...fetched('c2'),
  ...turn('c3', 'bash', { command: 'npm test' }),
]

describe('an engine that gets the requests of a session one by one', () => {
  it('replaces what newer work replaced, and says the same at the next request', () => {
    const engine = engineWith({ preset: 'acp' })
    expect(shown(engine, session.slice(0, 3))).toEqual([])
    const replaced = shown(engine, session.slice(0, 5))
    expect(replaced).toEqual([
      [2, 0, expect.stringMatching(/^\[.*repeated later · context_restore [0-9a-f]{6}\]$/)],
    ])
    expect(shown(engine, session)).toEqual(replaced)
  })

  it('names nothing that nobody has told it of', () => {
    const config = { preset: 'acp' } as const
    const hints = (engine: Engine, restore?: string | null): readonly unknown[] =>
      engine
        .request(session, undefined, { at: null, model: null, restore })
        .changes.map(({ text }) => / · ([^·]*)[0-9a-f]{6}\]$/.exec(text ?? '')?.[1])
    const settings = resolveSettings(config)
    const understanding = createUnderstanding({ cwd: '/home/dev/app' })
    const nothing = createEngine({ settings, understanding })
    expect(hints(nothing)).toEqual([''])
    expect(hints(createEngine({ settings, understanding }), '/opt/restore')).toEqual([
      '/opt/restore ',
    ])
    expect(hints(createEngine({ settings, understanding, restore: { tool: 'recall' } }))).toEqual([
      'recall ',
    ])
    expect(hints(engineWith(config), null)).toEqual([''])
    // What was written stays as it is, also in another process that is told otherwise.
    const ledger = nothing.ledger.entries
    expect(hints(createEngine({ settings, understanding, ledger }), 'recall')).toEqual([''])
  })

  it('decides the same when another process sees the whole session at once', () => {
    const first = engineWith({ preset: 'acp' })
    for (let length = 1; length <= session.length; length += 2)
      first.request(session.slice(0, length))
    const second = engineWith({ preset: 'acp' })
    expect(second.request(session).changes).toEqual(first.request(session).changes)
    expect(second.ledger.entries).toEqual(first.ledger.entries)
  })

  it('brings an item back for good when asked, also on the fork that goes on from there', () => {
    const engine = engineWith({ preset: 'acp' })
    const [change] = engine.request(session.slice(0, 5)).changes
    const { handle } = change?.decision ?? { handle: '' }
    expect(engine.find(handle)).toMatchObject({ kind: 'result', call: 'c1', text: `c1 ${listing}` })
    expect([engine.undo(handle), engine.undo(handle), engine.undo('ffffff')]).toEqual([
      true,
      false,
      false,
    ])
    expect(shown(engine, session)).toEqual([])
    const fork = [...session.slice(0, 5), user('another way')]
    expect(engine.request(fork)).toMatchObject({ relation: 'forked', changes: [] })
  })

  it('does not carry over to a fork what was asked for behind it', () => {
    const engine = engineWith({ preset: 'acp' })
    const { changes } = engine.request(session)
    engine.undo(changes[0]?.decision.handle ?? '')
    expect(shown(engine, session)).toEqual([])
    expect(shown(engine, [...session.slice(0, 5), user('another way')])).toHaveLength(1)
  })
})

describe('an error inside', () => {
  it('lets the request through unchanged, says so, and is over with its cause', () => {
    let isBroken = false
    const engine = createEngine({
      restore: { tool: 'context_restore' },
      settings: resolveSettings({ preset: 'acp' }),
      understanding: () => {
        const own = createUnderstanding({ cwd: '/home/dev/app' })
        return {
          ...own,
          action(call) {
            if (isBroken) throw new Error('a fault of ours')
            return own.action(call)
          },
        }
      },
    })
    engine.request(session.slice(0, 3))
    isBroken = true
    expect(engine.request(session)).toMatchObject({
      changes: [],
      fault: new Error('a fault of ours'),
    })
    isBroken = false
    expect(engine.request(session)).toMatchObject({ changes: [{ message: 2 }], fault: null })
  })
})

describe('schedule', () => {
  it('on-demand decides, but shows nothing of it before the agent calls its prune tool', () => {
    const engine = engineWith({ preset: 'acp', schedule: 'on-demand' })
    expect(shown(engine, session)).toEqual([])
    expect(engine.pending).not.toEqual([])
    expect(engine.ledger.decided()).toEqual([])
    const asked = [
      ...session,
      ...turn('c4', 'context_prune', { action: 'discard', targets: [] }, 'done'),
    ]
    expect(shown(engine, asked)).toHaveLength(1)
  })
})

describe('what the agent may discard', () => {
  const ask = (engine: Engine, handle: string): boolean =>
    engine.ask(handle, {
      reason: 'agent',
      strategy: 'context_prune',
      rendition: { how: 'discarded', text: '[gone]' },
    })

  it('is what is neither on the built-in list nor prose', () => {
    const engine = engineWith({ preset: 'acp' })
    engine.request([...session, ...turn('c5', 'todowrite', { todos: [] })])
    const handles = engine.record.items.map((item) => [item.kind, item.handle] as const)
    const results = handles.filter(([kind]) => kind === 'result').map(([, handle]) => handle)
    expect(results.map((handle) => ask(engine, handle))).toEqual([false, true, true, false])
    expect(ask(engine, handles[0]?.[1] ?? '')).toBe(false)
  })
})

describe('what the user says between turns', () => {
  it('reaches the file tracker: what the user took back is not shown as current', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `const value${n} = compute(${n})`)
    const numbered = lines.map((line, n) => `${n + 1}\t${line}`).join('\n')
    const path = '/home/dev/app/a.ts'
    const edit = {
      file_path: path,
      old_string: lines.slice(3, 6).join('\n'),
      new_string: `const table = [${'1, '.repeat(99)}]`,
    }
    const views = (...said: MessageDraft[]): unknown[] =>
      engineWith({ preset: 'balanced', turnProtection: 0 })
        .request([
          user('go'),
          ...turn('c1', 'Read', { file_path: path }, numbered),
          ...turn('c2', 'Edit', edit, 'ok'),
          ...said,
          ...['c3', 'c4', 'c5'].flatMap((id) => turn(id, 'bash', { command: id }, id)),
        ])
        .changes.filter(({ decision }) => decision.rendition.how === 'view')
    expect(views()).toHaveLength(1)
    expect(views(user('I reverted your changes'))).toEqual([])
  })
})
