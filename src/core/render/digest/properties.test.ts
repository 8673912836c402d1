import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleLimits, shell, sourceOf } from '../../../../test/core/sample-source.ts'
import type { Action } from '../../words/action.ts'
import { failureLines } from '../failure-lines.ts'
import { digest } from './digest.ts'
import type { DigestLimits, DigestSource } from './digest-types.ts'
import { foldStructure } from './fold-structure.ts'

const actions: readonly (Action | null)[] = [
  null,
  shell('npm test'),
  shell('rg -n thing src'),
  shell('npx tsc && npx eslint .'),
  shell('git diff; git log'),
  shell('pip install thing'),
  shell('find . -type f'),
  { kind: 'search', pattern: 'thing', path: null, include: null },
  { kind: 'glob', pattern: '**/*.ts', path: null },
  { kind: 'fetch', url: 'https://example.com', query: null },
  { kind: 'task', description: 'look', prompt: 'look' },
  { kind: 'write', path: 'a.ts', content: '' },
  { kind: 'read', path: 'a.ts', lines: null },
  { kind: 'other' },
]

const printed = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    'src/app.ts:12:3 - error TS2304: Cannot find name',
    'FAILED tests/test_app.py::test_one - assert 1 == 2',
    '--- FAIL: TestOne (0.00s)',
    ' ✓ passes well',
    'src/a/b.ts-14-  const value = 1',
    'src/a/b.ts:15:  const value = 2',
    '--',
    '@@ -1,4 +1,4 @@ function x()',
    'diff --git a/x.ts b/x.ts',
    '+added line',
    '-removed line',
    '2026-11-16T10:00:00Z INFO hello',
    '{"id": 1, "name": "x"}',
    '<html><body><p>text</p>',
    '    at run (node_modules/x/index.js:1:2)',
    'Traceback (most recent call last):',
    'export function run(): void {',
    '}',
    '',
    '\u001b[31mred\u001b[0m',
    '10%\r50%\r100%',
    'Process exited with code 1',
    'x'.repeat(3000),
  ),
  fc.nat().map((n) => `src/generated/file-${n}.ts`),
  fc.nat().map((n) => `value_${n} = someFunction${n}(argument)`),
)

const source: fc.Arbitrary<DigestSource> = fc
  .record({
    lines: fc.array(printed, { maxLength: 60 }),
    repeats: fc.integer({ min: 1, max: 12 }),
    action: fc.constantFrom(...actions),
    status: fc.constantFrom('ok' as const, 'error' as const),
  })
  .map(({ lines, repeats, action, status }) => ({
    ...sourceOf(Array.from({ length: repeats }, () => lines.join('\n')).join('\n'), action),
    status,
  }))

const limits: fc.Arbitrary<DigestLimits> = fc
  .record({
    leastChars: fc.integer({ min: 0, max: 3000 }),
    targetChars: fc.integer({ min: 0, max: 3000 }),
    mustChars: fc.constantFrom(0, 500, Number.POSITIVE_INFINITY),
    namesChars: fc.constantFrom(0, 200),
  })
  .map((sizes) => ({ ...sizes, recall: sampleLimits.recall }))

describe('any digest of any text', () => {
  it('is at most 0.9 of it, not empty, and says how to get it back', () => {
    fc.assert(
      fc.property(source, limits, (from, within) => {
        const found = digest(from, within)
        if (found === null) return
        expect(found.length).toBeLessThanOrEqual(from.text.length * 0.9)
        expect(found.trim()).not.toBe('')
        expect(found).toContain(within.recall)
      }),
      { numRuns: 400 },
    )
  })

  it('is the same every time', () => {
    fc.assert(
      fc.property(source, limits, (from, within) => {
        expect(digest(from, within)).toEqual(digest({ ...from }, { ...within }))
      }),
    )
  })

  it('is the same whatever the same text was asked for before', () => {
    fc.assert(
      fc.property(source, limits, limits, (from, within, before) => {
        const seenAnew = { ...from, action: from.action === null ? null : { ...from.action } }
        const expected = digest(seenAnew, within)
        const status = from.status === 'ok' ? 'error' : 'ok'
        digest({ ...from, status }, before)
        expect(digest(from, within)).toEqual(expected)
      }),
    )
  })

  it('is not cut a second time', () => {
    fc.assert(
      fc.property(source, limits, (from, within) => {
        const found = digest(from, within)
        if (found !== null) expect(digest({ ...from, text: found }, within)).toBeNull()
      }),
    )
  })

  it('is well-formed where the text is', () => {
    fc.assert(
      fc.property(source, limits, (from, within) => {
        const found = digest(from, within)
        if (found !== null && from.text.isWellFormed()) expect(found.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('failures in what a command printed', () => {
  const commands = actions.filter((action) => action?.kind === 'shell')
  const failures = [
    "src/pay.ts:8:3: error TS2304: Cannot find name 'charge'",
    'FAILED tests/test_pay.py::test_charge - assert 3 == 4',
    'AssertionError: expected 3 to be 4',
    'fatal: not a git repository',
    'Process exited with code 3',
  ]

  it('stay, wherever they stand between other lines', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commands),
        fc.constantFrom(...failures),
        fc.nat({ max: 399 }),
        fc.constantFrom(
          'a line of output',
          ' ✓ passes',
          'Downloading thing',
          '  some detail of it',
        ),
        (action, failure, place, filler) => {
          const text = Array.from({ length: 400 }, (_, at) =>
            at === place ? failure : `${filler} number ${at}`,
          ).join('\n')
          const found = digest(sourceOf(text, action), sampleLimits)
          expect(found ?? text).toContain(failure)
        },
      ),
    )
  })

  it('stay each once where they are many', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...commands),
        fc.integer({ min: 2, max: 100 }),
        (action, count) => {
          const text = Array.from({ length: count * 20 }, (_, at) =>
            at % 20 === 0
              ? `FAILED tests/test_pay.py::test_${at} - assert ${at}`
              : `noise of line ${at}`,
          ).join('\n')
          const found = digest(sourceOf(text, action), sampleLimits) ?? text
          expect(
            failureLines(text).filter((line) => !line.startsWith('(') && !found.includes(line)),
          ).toEqual([])
        },
      ),
    )
  })
})

describe('folded file text', () => {
  it('is shorter, the same every time, and made of the lines of the file', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 0, max: 4000 }), ({ text }, targetChars) => {
        const options = { targetChars, recall: sampleLimits.recall }
        const folded = foldStructure(text, options)
        expect(foldStructure(text, options)).toBe(folded)
        if (folded === null) return
        expect(folded.length).toBeLessThan(text.length)
        const known = new Set(text.split('\n'))
        expect(
          folded.split('\n').filter((line) => !known.has(line) && !line.startsWith('[… ')),
        ).toEqual([])
      }),
    )
  })
})

describe('two megabytes of anything', () => {
  const size = 2_000_000
  const filled = (text: string): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)
  const hostile: readonly string[] = [
    'a',
    ' ',
    'a/',
    'a/-1-1',
    '1:',
    '[',
    '{',
    '<a ',
    '\u001b[',
    '50%\r',
    `${' '.repeat(1000)}\n`,
    'src/a/b.ts:12: foo\n',
    'src/a.ts(1,2): error TS1: x\n',
    `${'='.repeat(500)} \n`,
    'expected fail error ',
  ]

  it.each(hostile)('%j over and over takes time in proportion', (text) => {
    const before = process.cpuUsage().user
    for (const action of [null, shell('npm test && rg x'), shell('npx tsc; git log')]) {
      digest(sourceOf(filled(text), action), sampleLimits)
    }
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(8)
  })
})
