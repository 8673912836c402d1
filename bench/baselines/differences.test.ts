import { describe, expect, it } from 'vitest'
import { limitNames } from '../score/limits.ts'
import type { Policy } from '../score/policy.ts'
import { differences, differenceTable, limitReadings, otherReadings } from './differences.ts'
import { baselines, presetBaselines } from './index.ts'
import { resultTexts, showScript, step, tokens } from './scripted-requests.ts'

const reading = (name: string): Policy => {
  const policy = otherReadings.find(({ carriedOut }) => carriedOut?.name === name)?.carriedOut
  if (policy === undefined) throw new Error(`no reading is called ${name}`)
  return policy
}

describe('the other readings of a source', () => {
  it('keep a short observation that an elision would make longer', () => {
    const steps = Array.from({ length: 12 }, (_, index) =>
      step('bash', index === 0 ? 'ok' : tokens(100)),
    )
    const shown = resultTexts(
      showScript(reading('keep-last-10-never-longer'), [{ user: 'go' }, ...steps]).at(-1),
    )
    expect(shown.slice(0, 3)).toEqual([
      'ok',
      'Old environment output: (1 lines omitted)',
      tokens(100),
    ])
  })

  it('pass the trigger earlier when system and tools count', () => {
    const steps = ['a', 'b', 'c', 'd'].map((letter) => step('read', tokens(22_000, letter)))
    const script = [{ user: 'go' }, ...steps]
    const cleared = [reading('langchain-clear-prefix'), ...baselines].flatMap((policy) => {
      if (!policy.name.startsWith('langchain')) return []
      const texts = resultTexts(showScript(policy, script).at(-1))
      return [texts.filter((text) => text === '[cleared]').length]
    })
    expect(cleared).toEqual([1, 0])
  })
})

describe('the list of differences', () => {
  it('names policies and readings that exist', () => {
    const policies = [...baselines, ...presetBaselines].map(({ name }) => name)
    const known = new Set<string>([...policies, ...limitNames])
    expect(
      differences.flatMap(({ policies }) => policies.filter((name) => !known.has(name))),
    ).toEqual([])
    const read = otherReadings.filter(({ policy }) =>
      differences.some(
        ({ policies, verdict }) => policies.includes(policy) && verdict.includes('see below'),
      ),
    )
    expect(read).toEqual(otherReadings)
    const named = differences.flatMap(({ policies }) => policies)
    expect(limitReadings.map(({ limit }) => limit).filter((name) => !named.includes(name))).toEqual(
      [],
    )
  })

  it('is a table with a row for each', () => {
    expect(differenceTable()).toHaveLength(differences.length + 1)
  })
})
