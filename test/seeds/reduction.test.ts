import { describe, expect } from 'vitest'
import { createEngine, type PresetName } from '../../src/index.ts'
import { lines, messagesOf, type ToldCall } from '../engine/told-session.ts'
import { row } from './statement.ts'

const call = (id: string, tool: string, input: object, output: string): readonly ToldCall[] => [
  { id, tool, input: { ...input }, output },
]
/**
 * A session of the size that the document has, about 142,000 tokens: four files are read again before and after every change,
 * and the tests print as many lines as in its example.
 */
const session = Array.from({ length: 18 }, (_, at) => {
  const filePath = `/src/f${at % 4}.ts`
  const change = { filePath, oldString: `line ${at + 1} of`, newString: `changed ${at}` }
  return [
    call(`l${at}`, 'todowrite', { todos: [{ content: `Step ${at}` }] }, lines(1, 6, 'todo')),
    call(`s${at}`, 'bash', { command: 'git status' }, lines(1, 8, 'status')),
    call(`r${at}`, 'read', { filePath }, lines(1, 60)),
    call(`e${at}`, 'edit', change, 'Edit applied successfully.'),
    call(`a${at}`, 'read', { filePath }, lines(1, 60)),
    call(`t${at}`, 'bash', { command: `npm test ${at}` }, lines(1, 342, `test${at}`)),
  ]
}).flat()

/** The tokens of all, and those that the last request still has. */
function tokensUnder(preset: PresetName): { readonly all: number; readonly shown: number } {
  const engine = createEngine({ preset })
  engine.request(messagesOf(session))
  const { items } = engine.record
  const shown = items.map((item) => engine.ledger.shownTokens(item.index) ?? item.tokens)
  const sum = (each: readonly number[]): number => each.reduce((total, one) => total + one, 0)
  return { all: sum(items.map(({ tokens }) => tokens)), shown: sum(shown) }
}

describe('a session of repeated reads and long outputs', () => {
  row('001-26', () => {
    const { all, shown } = tokensUnder('acp')
    expect(shown / all).toBeLessThan(0.5)
  })

  row('003-26', () => {
    const { all, shown } = tokensUnder('history')
    expect(Math.abs(all - 142_000)).toBeLessThan(15_000)
    expect(shown).toBeLessThan(80_000)
  })
})
