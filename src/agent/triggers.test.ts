import { describe, expect, it } from 'vitest'
import { said, toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only, type ToldCall } from '../../test/engine/told-session.ts'
import { presets } from '../config/presets.ts'
import { budgetOf } from './budget.ts'
import { sweep } from './sweep.ts'
import { actOnTrigger, triggerFor } from './triggers.ts'

const tokens = { system: 0, todos: 0, files: 0, recent: 0, working: 0, historical: 0 }
const ran = (at: number): ToldCall => ({
  id: `c${at}`,
  tool: 'bash',
  input: { command: `run ${at}` },
  output: lines(1, 30, `c${at}`),
})

describe('the triggers', () => {
  it('are those of the documents', () => {
    const of = (historical: number, thinking: number): string | null =>
      triggerFor({ tokens: { ...tokens, historical }, thinking }, presets.acp.triggers)
    expect([of(80_000, 20_000), of(80_001, 0), of(100_001, 30_000), of(0, 20_001)]).toEqual([
      null,
      'historical',
      'aggressive',
      'thinking',
    ])
  })

  it('act on what is history only: the last ten results stay', () => {
    const turns = Array.from({ length: 20 }, (_, at) => [ran(at)])
    const session = toldAgent(messagesOf(turns), only({}))
    const before = budgetOf(session).tokens.historical
    const freed = actOnTrigger(session, 'historical')
    expect(freed).toBeGreaterThan(before / 2)
    const next = session.next([said('Done.')])
    const shown = next.flatMap(({ items }) => items.map(({ text }) => text)).join('\n')
    expect(Array.from({ length: 20 }, (_, at) => shown.includes(`c${at} 7 of a text`))).toEqual(
      Array.from({ length: 20 }, (_, at) => at >= 10),
    )
  })
})

describe('a sweep', () => {
  it('takes the last outputs, or those since the user spoke, and not the agent’s own state', () => {
    const write = { id: 'w', tool: 'write', input: { filePath: '/a' }, output: lines(1, 9) }
    const settings = only({ agentProtectedTools: ['write'] })
    const made = { ...write, id: 'v', tool: 'write_file', input: { path: '/b', content: 'b' } }
    const turns = [[ran(1)], [ran(2)], [write], [made], [ran(3)], []]
    const session = toldAgent(messagesOf(turns), settings)
    expect(sweep(session, 2).map(({ target }) => target)).toEqual(
      ['c2', 'c3'].map((id) => session.handleOf(id)),
    )
    expect(sweep(session, null).map(({ outcome }) => outcome.kind)).toEqual([
      'pruned',
      'already pruned',
      'already pruned',
    ])
  })
})
