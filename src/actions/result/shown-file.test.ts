import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../understand.ts'
import { readResult } from './index.ts'
import { numberedRun } from './line-numbers.ts'
import { createShownFile } from './shown-file.ts'

const line = fc.constantFrom('', 'a', 'const b = 1', '}', '  return', '\ttab', 'é→')
const read = fc.record({
  path: fc.constantFrom('/p/a.ts', '/p/b.ts'),
  first: fc.integer({ min: 1, max: 9 }),
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
})

/** A file that is changed here and there, and read in parts, with something or nothing below the lines. */
const step = fc.record({
  at: fc.nat(40),
  removed: fc.nat(3),
  added: fc.array(line, { maxLength: 3 }),
  first: fc.nat(40),
  count: fc.nat(40),
  tail: fc.constantFrom('', '\n', '\n\n(End of file)', '\n7\tx', 'more'),
})

describe('a run of numbered lines', () => {
  it.each(['tab', 'arrow', 'zeros-pipe'] as const)('by %s is the same after others', (style) => {
    const before = { tab: '\t', arrow: '→', 'zeros-pipe': '| ' }[style]
    const numbered = (text: string, number: number): string =>
      `${String(number).padStart(5, style === 'zeros-pipe' ? '0' : ' ')}${before}${text}`
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.array(step), (start, steps) => {
        const file = [...start]
        const shown = createShownFile()
        for (const { at, removed, added, first, count, tail } of steps) {
          file.splice(at, removed, ...added)
          const part = file.slice(first, first + count)
          const text =
            part.map((each, index) => numbered(each, first + index + 1)).join('\n') + tail
          expect(shown.run(text, style)).toEqual(numberedRun(text, style))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('takes the very lines of the one before where they are the same', () => {
    const text = (changed: string): string =>
      Array.from(
        { length: 30 },
        (_, index) => `${index + 1}\t${index === 9 ? changed : `line ${index} of the file`}`,
      ).join('\n')
    const earlier = numberedRun(text('one'), 'tab')!
    const marked = {
      ...earlier,
      shown: { first: 1, lines: earlier.shown.lines.map((each) => `${each}, known`) },
    }
    const { lines } = numberedRun(text('two'), 'tab', marked)!.shown
    expect(lines[9]).toBe('two')
    expect(lines.filter((each) => each.endsWith(', known'))).toHaveLength(29)
  })
})

describe('the reads of a session', () => {
  it('say the same as each does by itself, however often their lines were shown before', () => {
    fc.assert(
      fc.property(fc.array(read, { maxLength: 8 }), (reads) => {
        const understanding = createUnderstanding({ cwd: '/p' })
        for (const { path, first, lines } of reads) {
          const text = lines.map((each, index) => `${first + index}\t${each}`).join('\n')
          const call = { tool: 'Read', text: JSON.stringify({ file_path: path, offset: first }) }
          const action = understanding.action(call)
          const { body, lines: shown, ...rest } = understanding.reading(action, call, text)
          const alone = readResult(action, call, text)
          expect({ ...rest, body: lines.join('\n'), lines: shown }).toEqual(alone)
          expect(body).toBe(alone.body)
        }
      }),
    )
  })
})
