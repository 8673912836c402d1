import { describe, expect, it } from 'vitest'
import { headTailCap } from './head-tail-cap.ts'
import { resultTexts, showScript, step } from './scripted-requests.ts'

const large = `${'a'.repeat(50)}${'b'.repeat(100)}${'c'.repeat(50)}`
const script = [{ user: 'go' }, step('read', large), step('read', 'x'.repeat(150)), step('ls', '')]
const cap = { name: 'cap', largeCharacters: 150, capCharacters: 20 }
const cut = `${'a'.repeat(10)}\n[180 characters left out · result-2]\n${'c'.repeat(10)}`

describe('a plain cap', () => {
  it('at admission shows a large result cut from the first request on, with a handle', () => {
    const views = showScript(headTailCap({ ...cap, fullRequests: 0 }), script)
    expect(views.map((view) => resultTexts(view)[0])).toEqual([undefined, cut, cut, cut])
    const result = views[1]?.find(({ item }) => item.kind === 'result')
    expect(result).toMatchObject({ how: 'truncated', handle: 'result-2' })
  })

  it('at the tail shows it in full for so many requests', () => {
    const shown = (fullRequests: number): readonly unknown[] =>
      showScript(headTailCap({ ...cap, fullRequests }), script).map((view) => resultTexts(view)[0])
    expect(shown(1)).toEqual([undefined, large, cut, cut])
    expect(shown(2)).toEqual([undefined, large, large, cut])
  })

  it('leaves what is not large', () => {
    const views = showScript(headTailCap({ ...cap, fullRequests: 0 }), script)
    expect(resultTexts(views.at(-1))[1]).toBe('x'.repeat(150))
  })
})
