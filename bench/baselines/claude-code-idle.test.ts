import { describe, expect, it } from 'vitest'
import type { Shown } from '../score/policy.ts'
import { claudeCodeIdle } from './claude-code-idle.ts'
import {
  requestsOf,
  resultTexts,
  type ScriptedTurn,
  showScript,
  step,
  tokens,
} from './scripted-requests.ts'

const cleared = '[tool result cleared]'
const steps = (count: number, resultTokens = 2_000): readonly ScriptedTurn[] =>
  Array.from({ length: count }, () => step('read', tokens(resultTokens)))
const returned = (afterSeconds: number): ScriptedTurn => ({ user: 'I am back', afterSeconds })
const clearedIn = (view: readonly Shown[] | undefined): number =>
  resultTexts(view).filter((text) => text === cleared).length

describe('the idle clearing of Claude Code', () => {
  it('clears all but the newest twelve results after 65 minutes, and not before', () => {
    const shown = (afterSeconds: number): readonly string[] => {
      const script = [{ user: 'read' }, ...steps(27), returned(afterSeconds)]
      return resultTexts(showScript(claudeCodeIdle, script).at(-1))
    }
    expect(shown(3_899)).not.toContain(cleared)
    expect(shown(3_900)).toEqual([
      ...Array.from({ length: 15 }, () => cleared),
      ...Array.from({ length: 12 }, () => tokens(2_000)),
    ])
  })

  it('keeps them cleared, and clears no more until the next idle time', () => {
    const script = [
      { user: 'read' },
      ...steps(27),
      returned(4_000),
      ...steps(15),
      { user: 'and again', afterSeconds: 4_000 },
    ]
    const counts = showScript(claudeCodeIdle, script).map(clearedIn)
    expect(counts.slice(26)).toEqual([0, ...Array.from({ length: 15 }, () => 15), 30])
  })

  it('does nothing with fewer than 27 calls, or fewer than 20,000 tokens to win', () => {
    const last = (...turns: readonly ScriptedTurn[]): number =>
      clearedIn(showScript(claudeCodeIdle, [{ user: 'read' }, ...turns, returned(9_000)]).at(-1))
    expect([last(...steps(26)), last(...steps(27, 1_333)), last(...steps(27, 1_334))]).toEqual([
      0, 0, 15,
    ])
  })

  it('does nothing where times were not recorded', () => {
    const requests = requestsOf([{ user: 'read' }, ...steps(27), returned(9_000)])
    const show = claudeCodeIdle.begin({ format: 'scripted', model: null })
    expect(requests.map((request) => clearedIn(show({ ...request, at: null }))).at(-1)).toBe(0)
  })
})
