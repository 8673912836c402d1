import { describe, expect, it } from 'vitest'
import { langChainClear, langChainClearWith } from './langchain-clear.ts'
import { resultTexts, showScript, step, tokens } from './scripted-requests.ts'

const script = [
  { user: 'find it' },
  ...['search', 'calculator', 'search', 'search', 'search'].map((tool, index) =>
    step(tool, tokens(10, `${index}`)),
  ),
]
const full = [0, 1, 2, 3, 4].map((index) => tokens(10, `${index}`))
const options = { triggerTokens: 30, keep: 3, clearAtLeastTokens: 0, excludeTools: [] }

describe('ClearToolUsesEdit of LangChain', () => {
  it('above the trigger clears all results but the newest three, with its placeholder', () => {
    const views = showScript(langChainClearWith(options), script)
    expect(resultTexts(views.at(-1))).toEqual(['[cleared]', '[cleared]', ...full.slice(2)])
    expect(resultTexts(views[2])).toEqual(full.slice(0, 2))
  })

  it('leaves excluded tools, as its documentation shows', () => {
    const views = showScript(
      langChainClearWith({ ...options, excludeTools: ['calculator'] }),
      script,
    )
    expect(resultTexts(views.at(-1))).toEqual(['[cleared]', ...full.slice(1)])
  })

  it('stops clearing as soon as clear_at_least is won, unlike the API that it follows', () => {
    const views = showScript(langChainClearWith({ ...options, clearAtLeastTokens: 5 }), script)
    expect(resultTexts(views.at(-1))).toEqual(['[cleared]', ...full.slice(1)])
  })

  it('by default does nothing below 100,000 tokens', () => {
    expect(resultTexts(showScript(langChainClear, script).at(-1))).toEqual(full)
  })
})
