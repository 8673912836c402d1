import { describe, expect, it } from 'vitest'
import { formatReport } from './format-report.ts'

const rule = '━'.repeat(30)
const checked = (rest: string): string => `Checked 12 files in 40ms. ${rest}`

/** A file that Biome's formatter would join two lines of, and split one. */
const fault = (path: string): string =>
  [
    `${path} format ${rule}`,
    '',
    '  × Formatter would have printed the following content:',
    '  ',
    '     3   3 │   function first() {',
    '     4     │ - → return·call(',
    '     5     │ - → → one)',
    '         4 │ + → return·call(one)',
    '     6   5 │   }',
    '    ······ │ ',
    '    20  19 │   ',
    '    21     │ - const·long·=·[1,·2]',
    '        20 │ + const·long·=·[',
    '        21 │ + ··1,·2',
    '        22 │ + ]',
    '  ',
    '',
  ].join('\n')

const hunks = [
  {
    heading: '',
    oldStart: 3,
    lines: [
      { sign: ' ', text: 'function first() {' },
      { sign: '-', text: '\treturn call(' },
      { sign: '-', text: '\t\tone)' },
      { sign: '+', text: '\treturn call(one)' },
      { sign: ' ', text: '}' },
    ],
  },
  {
    heading: '',
    oldStart: 20,
    lines: [
      { sign: ' ', text: '' },
      { sign: '-', text: 'const long = [1, 2]' },
      { sign: '+', text: 'const long = [' },
      { sign: '+', text: '  1, 2' },
      { sign: '+', text: ']' },
    ],
  },
]

const other = `src/b.ts:4:2 lint/style/useConst  FIXABLE  ${rule}\n\n  × This let is a const.\n\n`

describe("what a formatter's output says", () => {
  it('names the files at fault, with what Biome would make of them', () => {
    const output = `${fault('src/a.ts')}${other}${checked('No fixes applied.')}\nFound 2 errors.\n`
    expect(formatReport(output)).toEqual({
      rewritten: [],
      faults: [
        { path: 'src/a.ts', hunks },
        { path: 'src/b.ts', hunks: null },
      ],
      complete: true,
    })
  })

  it('counts a report that a runner prints twice once', () => {
    const once = `${fault('src/a.ts')}${checked('No fixes applied.')}\nFound 1 error.\n`
    expect(formatReport(`$ biome check\n${once}error: script exited with 1\n${once}`)).toEqual({
      rewritten: [],
      faults: [{ path: 'src/a.ts', hunks }],
      complete: true,
    })
  })

  it('foretells nothing of a file with two faults, or of a picture that was cut', () => {
    const two = `${fault('src/b.ts')}${other}${checked('No fixes applied.')}\nFound 2 errors.`
    expect(formatReport(two)?.faults).toEqual([{ path: 'src/b.ts', hunks: null }])
    const cut = fault('src/a.ts').replace(/ {4}21[\s\S]*$/, '... [900 characters cut] ...\n')
    const report = formatReport(`${cut}${checked('No fixes applied.')}\nFound 1 error.`)
    expect(report?.faults).toEqual([{ path: 'src/a.ts', hunks: null }])
  })

  it('is not complete when it counts more faults than it shows', () => {
    const output = `${fault('src/a.ts')}${checked('No fixes applied.')}\nFound 31 errors.\n`
    expect(formatReport(output)?.complete).toBe(false)
  })

  it('does not say which files Biome fixed', () => {
    expect(formatReport(`$ biome check --write\n${checked('Fixed 3 files.')}`)).toEqual({
      rewritten: null,
      faults: [],
      complete: true,
    })
  })

  it('names the files that Black and Prettier rewrote, or would', () => {
    expect(
      formatReport(
        'reformatted src/a.py\n\nAll done!\n1 file reformatted, 4 files left unchanged.',
      ),
    ).toEqual({ rewritten: ['src/a.py'], faults: [], complete: true })
    expect(
      formatReport(
        'would reformat a.py\nOh no!\n1 file would be reformatted, 2 files would be left unchanged.',
      ),
    ).toEqual({ rewritten: [], faults: [{ path: 'a.py', hunks: null }], complete: true })
    expect(formatReport('src/a.ts 31ms\nsrc/b.ts 4ms (unchanged)\n')).toEqual({
      rewritten: ['src/a.ts'],
      faults: [],
      complete: true,
    })
    expect(
      formatReport('[warn] src/a.ts\n[warn] Code style issues found in the above file.'),
    ).toEqual({ rewritten: [], faults: [{ path: 'src/a.ts', hunks: null }], complete: true })
  })

  it.each([
    '',
    'src/a.ts 31ms\nsrc/b.ts 4ms',
    '✓ src/a.test.ts (3 tests) 31ms',
    'Checked 3 files',
    'nothing was reformatted',
  ])('is nothing where no formatter speaks: %j', (output) => {
    expect(formatReport(output)).toBeNull()
  })
})
