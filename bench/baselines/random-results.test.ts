import { describe, expect, it } from 'vitest'
import { elidedResults } from './keep-last-observations.ts'
import { randomResults } from './random-results.ts'
import { requestsOf, resultTexts, showScript, step } from './scripted-requests.ts'

const options = { keep: 2, polling: 5, seed: 7 }
const script = [
  { user: 'go' },
  ...Array.from({ length: 24 }, (_, index) => step('read', `${index}`.padStart(100, '.'))),
]
const elided = (texts: readonly string[]): readonly number[] =>
  texts.flatMap((text, index) => (text.startsWith('Old') ? [index] : []))

describe('eliding at random', () => {
  const shown = showScript(randomResults(options), script).map((view) => elided(resultTexts(view)))

  it('elides as much, at the same requests, as the rule that goes by age', () => {
    const byAge = requestsOf(script).map(({ view }) => elidedResults(view, options).length)
    expect(shown.map(({ length }) => length)).toEqual(byAge)
    expect(Math.max(...byAge)).toBeGreaterThan(15)
  })

  it('chooses others than the oldest, the same in each run and never back', () => {
    const last = shown.at(-1) ?? []
    expect(last).not.toEqual(last.map((_, index) => index))
    expect(showScript(randomResults(options), script).map((v) => elided(resultTexts(v)))).toEqual(
      shown,
    )
    const stays = shown.every((now, at) => (shown[at - 1] ?? []).every((one) => now.includes(one)))
    expect(stays).toBe(true)
  })
})
