import { describe, expect, it } from 'vitest'
import {
  lines,
  only,
  type Told,
  type ToldTurn,
  tell,
} from '../../../../test/engine/told-session.ts'

const stripping = only({ oldInputs: { enabled: true, turns: 4 }, schedule: 'on-demand' })
const text = lines(1, 80)

const write = (id: string, path: string): ToldTurn => [
  { id, tool: 'write', input: { filePath: path, content: text }, output: 'ok' },
]
const read = (id: string, path: string): ToldTurn => [
  { id, tool: 'read', input: { filePath: path }, output: text },
]
const edit = (id: string, path: string): ToldTurn => [
  { id, tool: 'edit', input: { filePath: path, oldString: '2', newString: text }, output: 'ok' },
]
const run = (id: string, command: string, output = 'ok'): ToldTurn => [
  { id, tool: 'bash', input: { command }, output },
]
const idle = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => run(`idle${n}`, `run ${n}`))
const prune: ToldTurn = [{ id: 'p', tool: 'context_prune', input: {}, output: 'done' }]

const inputs = ({ engine }: Told): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    engine.record.items.flatMap((item) => {
      const decision = item.kind === 'call' ? engine.ledger.of(item.index) : undefined
      return decision === undefined || item.kind !== 'call'
        ? []
        : [[item.call, decision.rendition.text]]
    }),
  )

describe('oldInputs', () => {
  it('strips what was written, once the file was left alone, and says how to get it back', () => {
    const told = tell([write('w', '/p/new.ts'), ...idle(5), prune], stripping)
    expect(Object.keys(inputs(told))).toEqual(['w'])
    expect(inputs(told).w).toMatch(/^\{"filePath":"\/p\/new.ts"\}/)
    expect(inputs(told).w).toMatch(/context_restore [0-9a-f]{6}/)
  })

  it('waits while the file is being worked on', () => {
    const worked = [write('w', '/p/new.ts'), ...idle(4), edit('e', '/p/new.ts'), prune]
    expect(inputs(tell(worked, stripping))).toEqual({})
  })

  it('waits for a moment at which sent bytes change', () => {
    expect(inputs(tell([write('w', '/p/new.ts'), ...idle(20)], stripping))).toEqual({})
  })

  it('keeps an edit as long as a read shows the file as it was before', () => {
    const edited = [read('r', '/p/old.ts'), edit('e', '/p/old.ts'), ...idle(9), prune]
    expect(inputs(tell(edited, stripping))).toEqual({})
    const alone = [edit('e', '/p/old.ts'), ...idle(9), prune]
    expect(Object.keys(inputs(tell(alone, stripping)))).toEqual(['e'])
  })

  it('strips long commands that change no file after half the time', () => {
    const long = [run('c', `echo ${'word '.repeat(200)}`), ...idle(3), prune]
    expect(Object.keys(inputs(tell(long, stripping)))).toEqual(['c'])
  })

  it('leaves failed calls and what somebody wanted back alone', () => {
    const failed: ToldTurn = [
      {
        id: 'w',
        tool: 'write',
        input: { filePath: '/p/a', content: text },
        output: 'no',
        status: 'error',
      },
    ]
    expect(inputs(tell([failed, ...idle(9), prune], stripping))).toEqual({})
  })
})
