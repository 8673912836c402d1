import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../test/model/project-root.ts'
import { compareTables, compareWithPage, tablesIn } from './beside.ts'
import { contained, containedTable } from './contained.ts'
import { faultTable, kindOfFault, userTextChanged } from './faults.ts'
import { contenders, createField, type FieldResult } from './field.ts'
import { plantSession } from './planted/planted-session.ts'
import { poolScores } from './pool.ts'
import { ownFigures, withFigures, withOwnFigures } from './readme.ts'
import { type Section, withSections, withSectionsOf } from './report.ts'
import { benchSession } from './sources.ts'
import { markdownTable } from './tables.ts'

const all = contenders(undefined)

function measured(): FieldResult {
  const field = createField(all)
  const { recording } = plantSession({ seed: 3, steps: 12 })
  field.add(benchSession({ name: 'one', file: 'one', ordinal: 0, recording }))
  return field.result()
}

describe('the report', () => {
  const result = measured()

  it('names every kind of fault with how often it is there, and whether a document asks for it', () => {
    const [pair] = result.pairs.get('palimpsest compact') ?? []
    if (pair === undefined) throw new Error('nothing was measured')
    const faults = [
      "request 3: the user's text in item 0 was changed",
      "request 4: the user's text in item 0 was changed",
      'request 4: item 7 is shown empty',
    ]
    const pairs = new Map([['palimpsest compact', [{ ...pair, score: { ...pair.score, faults } }]]])
    const document = all.find(({ name }) => name === 'palimpsest compact')?.documentedFaults
    expect(document?.[userTextChanged]).toContain('pruneUserCodeBlocks')
    expect(faultTable(pairs, all).slice(1)).toEqual([
      ['palimpsest compact', userTextChanged, '2', '1', document?.[userTextChanged]],
      ['palimpsest compact', 'an item is shown empty', '1', '1', '-'],
    ])
    expect(faultTable(new Map(), all)).toEqual([])
    expect(kindOfFault('3 requests instead of 4')).toBe('another number of requests')
  })

  it('sets each preset beside what it contains, and both are measured', () => {
    const names = new Set(all.map(({ name }) => name))
    for (const { preset, baseline } of contained) {
      expect(names).toContain(`palimpsest ${preset}`)
      expect(names).toContain(baseline)
    }
    expect(containedTable(result)).toHaveLength(contained.length + 1)
  })

  it('says where a preset costs more than what it contains', () => {
    const pairs = new Map(result.pairs)
    pairs.set('dcp-auto', [])
    const free = (pairs.get('none') ?? []).map(({ score, none }) => {
      const cost = score.recalls.cost.map(() => 0)
      return { none, score: { ...score, recalls: { ...score.recalls, cost } } }
    })
    pairs.set('dcp-auto', free)
    const row = containedTable({ pairs }).find(([, baseline]) => baseline === 'dcp-auto')
    expect(row?.at(-1)).toContain('anthropic-5m')
  })

  it('fills in the figures of the README between its marks, and nothing else', () => {
    const readme = '# A\n<!-- figures of npm run bench -->\nold\n<!-- end of figures -->\nrest\n'
    const scores = [...result.pairs.values()].map(poolScores)
    const words = 'Measured on 1 recorded session.'
    const filled = withFigures(readme, words, scores)
    expect(filled).toMatch(/^# A\n<!-- figures of npm run bench -->\nMeasured on 1 recorded/)
    expect(filled).toMatch(/\n<!-- end of figures -->\nrest\n$/)
    expect(filled).not.toContain('old')
    expect(withFigures(filled, words, scores)).toBe(filled)
    expect(withFigures('no marks', words, scores)).toBe('no marks')
    const own = readFileSync(path.join(projectRoot, 'README.md'), 'utf8')
    expect(withFigures(own, words, scores)).toContain('Measured on 1 recorded')
    expect(ownFigures(filled)).toBe(words)
    const renewed = withOwnFigures(filled, 'Measured on 2 recorded sessions.')
    expect(renewed).toBe(filled.replace(words, 'Measured on 2 recorded sessions.'))
    expect(withOwnFigures(own, words)).toContain(`${words} Keeping only the last ten results`)
  })

  it('replaces the sections of one part, and puts them before the calibration at first', () => {
    const page = '# Page\n\n## Definitions\n\nwords\n\n## Calibration\n\nmore\n'
    const section = (heading: string): Section => ({ heading, text: 'told' })
    const first = withSections(
      page,
      [section('Held out: one'), section('Held out, two')],
      'Held out',
    )
    expect(first).toBe(
      page.replace('## Cal', '## Held out: one\n\ntold\n\n## Held out, two\n\ntold\n\n## Cal'),
    )
    expect(withSectionsOf(page, first, 'Held out')).toBe(first)
    expect(withSections(first, [section('Held out: three')], 'Held out')).toBe(
      page.replace('## Cal', '## Held out: three\n\ntold\n\n## Cal'),
    )
  })
})

describe("our tables beside somebody else's", () => {
  const ours = [
    ['policy', 'tokens mean', '% cost more', 'p95', 'p95'],
    ['a', '0.50', '10.0', '1', '2'],
    ['b', '0.50', '10.0', '1', '2'],
    ['only ours', '1', '1', '1', '1'],
  ]
  const theirs = [
    ['policy', 'tokens mean', '% cost more', 'other', 'p95', 'p95'],
    ['a', '0.52', '12.0', '99', '1', '-'],
    ['b', '0.53', '12.1', '99', '9', '2'],
    ['only theirs', '1', '1', '1', '1', '1'],
  ]

  it('find every figure that is more than two points away, in rows and columns of both', () => {
    const expected = [
      { row: 'a', figures: [] },
      { row: 'b', figures: ['tokens mean 0.50, 0.53', '% cost more 10.0, 12.1', 'p95 1, 9'] },
    ]
    expect(compareTables(ours, theirs)).toEqual(expected)
    const page = `# Page\n\nwords\n\n${markdownTable(theirs)}\n\nmore\n\n${markdownTable([['x'], ['1']])}\n`
    expect(tablesIn(page)).toEqual([theirs, [['x'], ['1']]])
    expect(compareWithPage([ours], page)).toEqual(expected)
  })
})
