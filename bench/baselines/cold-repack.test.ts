import { describe, expect, it } from 'vitest'
import { coldRepack } from './cold-repack.ts'
import { resultTexts, type ScriptedTurn, showScript, step } from './scripted-requests.ts'

const output = (name: string): string =>
  Array.from({ length: 40 }, (_, index) => `${name} says line ${index}`).join('\n')
const cut = (name: string, item: number): string =>
  [
    ...[0, 1, 2].map((index) => `${name} says line ${index}`),
    `[...35 lines pruned · full at result-${item}...]`,
    ...[38, 39].map((index) => `${name} says line ${index}`),
  ].join('\n')
const run = (...names: readonly string[]): readonly ScriptedTurn[] =>
  names.map((name) => step('bash', output(name)))
const back = (afterSeconds: number): ScriptedTurn => ({ user: 'go on', afterSeconds })

describe('a repack on a cold cache', () => {
  it('cuts all but the newest results to head and tail after five minutes, and not before', () => {
    const shown = (afterSeconds: number): readonly string[] => {
      const script = [{ user: 'go' }, ...run('a', 'b', 'c', 'd', 'e'), back(afterSeconds)]
      return resultTexts(showScript(coldRepack, script).at(-1))
    }
    const whole = ['a', 'b', 'c', 'd', 'e'].map(output)
    expect(shown(300)).toEqual(whole)
    // The newest eight messages are what the user says, three steps and the result of a fourth.
    expect(shown(301)).toEqual([cut('a', 2), ...whole.slice(1)])
  })

  it('changes nothing while the cache is warm, and cuts the rest at the next cold request', () => {
    const script = [
      { user: 'go' },
      ...run('a', 'b', 'c', 'd', 'e'),
      back(400),
      ...run('f', 'g', 'h'),
      back(400),
    ]
    const views = showScript(coldRepack, script).map(resultTexts)
    const rest = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].map(output)
    expect(views.slice(5, 8)).toEqual([4, 5, 6].map((end) => [cut('a', 2), ...rest.slice(0, end)]))
    expect(views[8]).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map((name, index) => cut(name, 2 + 2 * index)),
      ...rest.slice(-3),
    ])
  })

  it('leaves what is short, has few lines, or would not become shorter', () => {
    const kept = ['ok\n'.repeat(50), 'x'.repeat(9_000), `${'y'.repeat(300)}\n\n\n\n\n\nz`]
    const script = [
      { user: 'go' },
      ...kept.map((text) => step('bash', text)),
      ...run('a', 'b', 'c', 'd'),
      back(400),
    ]
    expect(resultTexts(showScript(coldRepack, script).at(-1)).slice(0, 3)).toEqual(kept)
  })

  it('names the original', () => {
    const script = [{ user: 'go' }, ...run('a', 'b', 'c', 'd', 'e'), back(400)]
    const shown = showScript(coldRepack, script).at(-1)?.[2]
    expect(shown).toMatchObject({ how: 'truncated', handle: 'result-2' })
  })
})
