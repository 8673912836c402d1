import { describe, expect, it } from 'vitest'
import { said, thought, toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only, type ToldCall } from '../../test/engine/told-session.ts'
import { contextInfo, contextInfoText } from './context-info.ts'
import { contextPrune } from './context-prune.ts'
import { pressureLevel } from './pressure.ts'

const ran = (id: string, rows: number): ToldCall => ({
  id,
  tool: 'bash',
  input: { command: `run ${id}` },
  output: lines(1, rows, id),
})
const todo: ToldCall = {
  id: 'todo',
  tool: 'todowrite',
  input: { todos: [{ content: 'The work', status: 'in_progress' }] },
  output: 'ok',
}

describe('the pressure', () => {
  it('rises at 50, 75 and 90 %', () => {
    const shares = [0, 0.499, 0.5, 0.749, 0.75, 0.899, 0.9, 2]
    expect(shares.map(pressureLevel)).toEqual([
      'light',
      'light',
      'moderate',
      'moderate',
      'high',
      'high',
      'critical',
      'critical',
    ])
  })

  it('is measured against the limit, with system prompt and tools, as the provider counts', () => {
    const session = toldAgent(messagesOf([[ran('a', 20)]]), only({}), {
      contextLimit: 10_000,
      prefixTokens: 3_000,
      factor: 2,
    })
    const { usedTokens, share, level } = contextInfo(session).pressure
    expect(usedTokens).toBeGreaterThan(6_000)
    expect(share).toBe(usedTokens / 10_000)
    expect(level).toBe(pressureLevel(usedTokens / 10_000))
  })
})

describe('the inventory', () => {
  it('is ordered by what would be gained, and leaves out what cannot be pruned', () => {
    const session = toldAgent(
      messagesOf([
        [todo],
        [ran('small', 12)],
        [ran('large', 90)],
        [ran('middle', 40)],
        [ran('new', 50)],
      ]),
      only({ turnProtection: 1, agentProtectedTools: ['todowrite'] }),
    )
    const handles = (): readonly string[] =>
      contextInfo(session).inventory.map(({ handle }) => handle)
    const [large, middle, small] = ['large', 'middle', 'small'].map((id) => session.handleOf(id))
    expect(handles()).toEqual([large, middle, small])
    contextPrune(session, { action: 'discard', targets: [[large]] })
    expect(handles()).toEqual([middle, small])
  })

  it('has messages and unsigned reasoning in it, and no signed reasoning', () => {
    const session = toldAgent(
      [
        thought(lines(1, 20, 'plain')),
        thought(lines(1, 20, 'bound'), 'signed'),
        said(lines(1, 20, 'said')),
        said('End.'),
      ],
      only({ schedule: 'economic' }),
    )
    const kinds = contextInfo(session).inventory.map(
      ({ kind, what }) => `${kind} ${what.slice(0, 16)}`,
    )
    expect(kinds.toSorted()).toEqual(['message message "said 1 ', 'reasoning reasoning "plain'])
  })
})

describe('the budget', () => {
  it('counts everything once, and what is outside list, files, last ten results and protected turns as history', () => {
    const calls = Array.from({ length: 14 }, (_, at) => [ran(`c${at}`, 10)])
    const session = toldAgent(messagesOf([[todo], ...calls]), only({}), { prefixTokens: 500 })
    const { tokens } = contextInfo(session).budget
    const sum = Object.values(tokens).reduce((one, other) => one + other, 0)
    expect(sum).toBe(contextInfo(session).pressure.usedTokens)
    expect(tokens.system).toBe(500)
    expect(tokens.todos).toBeGreaterThan(0)
    const one = (tokens.recent + tokens.historical) / 14
    expect(Math.round(tokens.recent / one)).toBe(10)
    expect(Math.round(tokens.historical / one)).toBe(4)
  })
})

describe('the text of context_info', () => {
  it('says pressure, budget, inventory, guide and the advice for the present pressure', () => {
    const messages = messagesOf([[ran('a', 60)], [ran('b', 30)]])
    const at = (contextLimit: number): string =>
      contextInfoText(contextInfo(toldAgent(messages, only({}), { contextLimit })))
    const used = contextInfo(toldAgent(messages, only({}))).pressure.usedTokens
    const handle = toldAgent(messages, only({})).handleOf('a')
    expect(at(used * 10)).toContain('No pruning needed.')
    expect(at(used * 1.6)).toContain(`action: "discard", targets: [["${handle}"]]`)
    expect(at(used * 1.2)).toContain('Anchor in todos first')
    expect(at(used)).toContain('Can you complete current task without history?')
    for (const part of ['Historical Context', handle, 'Guide:', 'pressure critical'])
      expect(at(used)).toContain(part)
  })
})
