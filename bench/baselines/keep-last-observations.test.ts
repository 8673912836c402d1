import { describe, expect, it } from 'vitest'
import { keepLast10Polled, keepLastObservations } from './keep-last-observations.ts'
import { resultTexts, type ScriptedTurn, showScript, step } from './scripted-requests.ts'

const observations = (count: number): readonly ScriptedTurn[] => [
  { user: 'fix the bug' },
  ...Array.from({ length: count }, (_, index) => step('bash', `line\noutput ${index + 1}\n`)),
]

describe('LastNObservations of SWE-agent', () => {
  it('with n=5, as in the configuration of its documentation, elides all but the last five', () => {
    const policy = keepLastObservations({ name: 'classic', keep: 5, polling: 1 })
    const views = showScript(policy, observations(8))
    expect(resultTexts(views.at(-1))).toEqual([
      'Old environment output: (2 lines omitted)',
      'Old environment output: (2 lines omitted)',
      'Old environment output: (2 lines omitted)',
      'line\noutput 4\n',
      'line\noutput 5\n',
      'line\noutput 6\n',
      'line\noutput 7\n',
      'line\noutput 8\n',
    ])
  })

  it('never touches the task, which counts as the first observation', () => {
    const policy = keepLastObservations({ name: 'one', keep: 1, polling: 1 })
    const [first, second] = showScript(policy, observations(1))
    expect([first, second].map((view) => view?.[0])).toEqual([
      expect.objectContaining({ how: 'full' }),
      expect.objectContaining({ how: 'full' }),
    ])
    expect(resultTexts(second)).toEqual(['line\noutput 1\n'])
  })

  it('with polling changes the history only at each so many observations', () => {
    const views = showScript(keepLast10Polled, observations(60))
    const shown = views.map((view) => resultTexts(view).filter((text) => text.startsWith('line')))
    const kept = shown.map(({ length }) => length)
    expect(kept.every((count, index) => count <= 30 && count >= Math.min(index, 10))).toBe(true)
    const changes = kept.filter((count, index) => index > 0 && count <= (kept[index - 1] ?? 0))
    expect(changes).toHaveLength(3)
  })
})
