import { describe, expect } from 'vitest'
import { contextPrune } from '../../src/agent/context-prune.ts'
import { presets } from '../../src/config/presets.ts'
import { said, type ToldAgent, toldAgent } from '../agent/told-agent.ts'
import { lines, messagesOf, type ToldCall } from '../engine/told-session.ts'
import { acted, app, read, write } from './acted.ts'
import { handleOf } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }

/** A conversation with this call, so many turns after it. The host shows no handle of what the agent may not prune. */
function calledBefore(call: Partial<ToldCall>, turns: number): ToldAgent {
  const made = { id: 'c', tool: 'bash', input: { command: 'make' }, output: lines(1, 20), ...call }
  const settings = { ...presets.acp, purgeErrors: { ...presets.acp.purgeErrors, enabled: false } }
  return toldAgent(messagesOf([[made], ...Array.from({ length: turns }, () => [])]), settings)
}

/** Neither action of the agent reaches the call or the result of this tool; it reaches those of another. */
function isProtected(tool: string): void {
  for (const target of [['discard'], ['distill', 'short']]) {
    const [action, ...summary] = target
    const answers = (name: string): readonly string[] => {
      const input = { filePath: app, content: lines(1, 9), todos: [], description: 'Sub' }
      const session = calledBefore({ tool: name, input }, 2)
      const items = session.engine.record.items.filter(
        (item) => 'call' in item && item.call === 'c',
      )
      expect(items.map(({ kind }) => kind)).toEqual(['call', 'result'])
      return items.map(
        ({ handle }) => contextPrune(session, { action, targets: [[handle, ...summary]] }).text,
      )
    }
    for (const answer of answers(tool))
      expect(answer).toContain(`protected: ${tool} is protected from the agent`)
    expect(answers('deploy').join()).toContain('1 of 1 pruned')
  }
}

describe('what context_prune cannot prune', () => {
  row('001-34', () => isProtected('context_info'))
  row('001-35', () => isProtected('task'))
  row('001-36', () => isProtected('todowrite'))
  row('001-37', () => isProtected('todoread'))
  row('001-38', () => isProtected('context_prune'))
  row('001-39', () => isProtected('batch'))
  row('001-40', () => isProtected('write'))
  row('001-41', () => isProtected('edit'))
  row('001-42', () => isProtected('plan_enter'))
  row('001-43', () => isProtected('plan_exit'))

  row('001-44', () => {
    const answer = (turns: number): string => {
      const session = calledBefore({ status: 'error' }, turns)
      const targets = [[session.handleOf('c')]]
      const { text } = contextPrune(session, { action: 'discard', targets })
      const shown = JSON.stringify(session.next([said('Done.')]))
      expect(shown.includes('line 10 of')).toBe(text.includes('protected'))
      return text
    }
    expect(answer(0)).toContain('protected')
    expect(answer(2)).toContain('1 of 1 pruned')
  })

  row('001-45', async () => {
    const { session, said } = await acted(acp, [read(), write()])
    const targets = [[/context_restore ([0-9a-f]{6})/.exec(said[0] ?? '')?.[1]]]
    const input = { action: 'discard', targets }
    expect(handleOf(said[0])).not.toBe('')
    expect(await session.conversation.calls('context_prune', input)).toContain('already pruned')
  })
})
