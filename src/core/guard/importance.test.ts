import { describe, expect, it } from 'vitest'
import { engineFor, messagesOf, only, type ToldTurn } from '../../../test/engine/told-session.ts'
import type { Engine } from '../engine.ts'
import type { Item } from '../words/item.ts'
import { type Importance, importanceOf } from './importance.ts'

const text = 'a line of some length that is there to be looked at\n'.repeat(8)
const read = (id: string, filePath: string): ToldTurn => [
  { id, tool: 'read', input: { filePath }, output: text },
]
const think: ToldTurn = []
const later = (turns: number): readonly ToldTurn[] => Array.from({ length: turns }, () => think)

function told(turns: readonly ToldTurn[]): { engine: Engine; turn: number } {
  const settings = only({ deduplication: { enabled: true, mode: 'supersede', protectedTools: [] } })
  const engine = engineFor(settings)
  return { engine, turn: engine.request(messagesOf(turns)).turn }
}

/** The rank of the result of a call, after the given turns. */
function rankOf(id: string, turns: readonly ToldTurn[]): Importance | undefined {
  const { engine, turn } = told(turns)
  const item = engine.record.items.find((each) => each.kind === 'result' && each.call === id)
  return item && rankIn(engine, turn, item)
}

function rankIn(engine: Engine, turn: number, item: Item): Importance {
  const { ledger, files, tasks } = engine
  const operationOf = engine.operationOf.bind(engine)
  return importanceOf(item, { turn, ledger, files, tasks, operationOf })
}

const todo = (id: string, ...contents: readonly string[]): ToldTurn => [
  {
    id,
    tool: 'todowrite',
    input: { todos: contents.map((content) => ({ content, status: 'pending' })) },
    output: 'ok',
  },
]

describe('the retention hierarchy', () => {
  it('never lets go of what the user said, nor of the task list as it stands', () => {
    const { engine, turn } = told([todo('t', 'do it'), ...later(20)])
    const [asked] = engine.record.items
    expect(asked && rankIn(engine, turn, asked)).toBe('critical')
    expect(rankOf('t', [todo('t', 'do it'), ...later(20)])).toBe('critical')
    expect(rankOf('t', [todo('t', 'do it'), todo('u', 'done'), ...later(20)])).toBe('ephemeral')
  })

  it('never lets go of a call that still runs', () => {
    const running: ToldTurn = [
      { id: 'r', tool: 'bash', input: { command: 'x' }, output: '', status: 'running' },
    ]
    const { engine, turn } = told([running])
    const call = engine.record.items.find((item) => item.kind === 'call')
    expect(call && rankIn(engine, turn, call)).toBe('critical')
  })

  it('holds recent results, and lets the older ones go before them', () => {
    expect(rankOf('a', [read('a', '/p/a.ts'), ...later(3)])).toBe('important')
    expect(rankOf('a', [read('a', '/p/a.ts'), ...later(4)])).toBe('ephemeral')
  })

  it('holds what shows a file that is being edited', () => {
    const edit = {
      id: 'e',
      tool: 'edit',
      input: { filePath: '/p/a.ts', oldString: 'line', newString: 'row' },
      output: 'ok',
    }
    const turns = [read('a', '/p/a.ts'), read('b', '/p/b.ts'), ...later(6), [edit], think]
    expect([rankOf('a', turns), rankOf('b', turns)]).toEqual(['important', 'ephemeral'])
  })

  it('lets old errors and what was replaced go first', () => {
    const failed: ToldTurn = [
      { id: 'f', tool: 'bash', input: { command: 'x' }, output: text, status: 'error' },
    ]
    expect(rankOf('f', [failed, think])).toBe('important')
    expect(rankOf('f', [failed, ...later(2)])).toBe('temporary')
    const again = [read('a', '/p/a.ts'), read('b', '/p/a.ts')]
    expect([rankOf('a', again), rankOf('b', again)]).toEqual(['temporary', 'important'])
  })
})

describe('colour marks of tasks', () => {
  const old = [read('a', '/p/src/a.ts'), ...later(9)]

  it('lift what they name, by path or by the end of it, and lower it', () => {
    expect(rankOf('a', [...old, todo('t', 'look at src/a.ts')])).toBe('ephemeral')
    expect(rankOf('a', [...old, todo('t', '🔴 look at src/a.ts')])).toBe('critical')
    expect(rankOf('a', [...old, todo('t', '🟡 look at a.ts')])).toBe('important')
    expect(rankOf('a', [...old, todo('t', '🟢 look at a.ts')])).toBe('ephemeral')
    expect(rankOf('a', [...old, todo('t', '🔵 look at src/')])).toBe('temporary')
    expect(rankOf('a', [...old, todo('t', '🔴 look at c/a.ts')])).toBe('ephemeral')
    expect(rankOf('a', [...old, todo('t', '🔵 src/a.ts', '🔴 src/a.ts')])).toBe('critical')
  })

  it('lift what was replaced only by its handle: its path stands for what is newer', () => {
    const turns = [read('a', '/p/a.ts'), read('b', '/p/a.ts')]
    const { engine } = told(turns)
    const older = engine.record.items.find((item) => item.kind === 'result' && item.call === 'a')
    expect(rankOf('a', [...turns, todo('t', '🔴 a.ts')])).toBe('temporary')
    expect(rankOf('a', [...turns, todo('t', `🔴 keep ${older?.handle}`)])).toBe('critical')
  })
})
