import { describe, expect, it } from 'vitest'
import { lines, only, type ToldTurn, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ planSupersede: true, pruneToolInputs: true })
const plan = (id: string, status: 'ok' | 'error' = 'ok'): ToldTurn => [
  {
    id,
    tool: 'ExitPlanMode',
    input: { plan: lines(1, 30, id) },
    output: status === 'ok' ? `Approved: ${lines(1, 30, id)}` : 'No. Keep the old endpoint.',
    status,
  },
]
const step: ToldTurn = [{ id: 's', tool: 'bash', input: { command: 'run' }, output: 'ok' }]

describe('planSupersede', () => {
  it('leaves the newest accepted plan', () => {
    const { results, inputs } = tell([plan('a'), step, plan('b'), []], settings)
    expect(results).toEqual({ a: 'superseded todo b' })
    expect(inputs).toEqual({ a: 'stripped input b' })
  })

  it('keeps what the user said about a plan that was turned down', () => {
    const { results, inputs } = tell([plan('a', 'error'), plan('b'), []], settings)
    expect(results).toEqual({})
    expect(inputs).toEqual({ a: 'stripped todo b' })
  })

  it('keeps an accepted plan when a later one was turned down', () => {
    expect(tell([plan('a'), plan('b', 'error'), []], settings).decisions).toEqual([])
  })
})
