import { describe, expect, it } from 'vitest'
import { clearToolUsesWith } from './clear-tool-uses.ts'
import { resultTexts, showScript, step, tokens } from './scripted-requests.ts'

const cleared = '[tool result cleared]'
const documented = {
  name: 'documented',
  triggerTokens: 30_000,
  keep: 3,
  clearAtLeastTokens: 5_000,
  excludeTools: ['web_search'],
  prefixTokens: 0,
}
const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => tokens(7_000, letter))

describe('clear_tool_uses_20250919', () => {
  it('with the advanced example of its page clears the oldest beyond three, and no excluded tool', () => {
    const script = [
      { user: 'compare them' },
      step('web_search', a as string),
      step('read', b as string),
      step('read', c as string),
      step('read', d as string),
      step('read', e as string),
    ]
    const views = showScript(clearToolUsesWith(documented), script)
    expect(resultTexts(views[4])).toEqual([a, b, c, d])
    expect(resultTexts(views[5])).toEqual([a, cleared, c, d, e])
  })

  it('keeps what it cleared cleared, and waits until the trigger is passed again', () => {
    const script = [
      { user: 'read on' },
      ...[a, b, c, d, e, f].map((text) => step('read', text as string)),
    ]
    const views = showScript(clearToolUsesWith({ ...documented, excludeTools: [] }), script)
    expect(views.slice(-2).map(resultTexts)).toEqual([
      [cleared, cleared, c, d, e],
      [cleared, cleared, c, d, e, f],
    ])
  })

  it('does nothing when it cannot win what clear_at_least asks for', () => {
    const script = [
      { user: 'read' },
      step('read', tokens(4_000)),
      ...[b, c, d, e].slice(0, 3).map((text) => step('read', tokens(10_000, (text as string)[0]))),
    ]
    const shown = (clearAtLeastTokens: number): readonly string[] =>
      resultTexts(
        showScript(clearToolUsesWith({ ...documented, clearAtLeastTokens }), script).at(-1),
      )
    expect(shown(5_000)).not.toContain(cleared)
    expect(shown(4_000).filter((text) => text === cleared)).toHaveLength(1)
  })

  it('counts the system prompt and the tools', () => {
    const script = [{ user: 'read' }, ...[a, b, c, d].map((text) => step('read', text as string))]
    const shown = (prefixTokens: number): readonly string[] =>
      resultTexts(showScript(clearToolUsesWith({ ...documented, prefixTokens }), script).at(-1))
    expect([shown(0), shown(18_000)].map((texts) => texts.includes(cleared))).toEqual([false, true])
  })
})
