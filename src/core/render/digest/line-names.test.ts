import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifiersIn } from '../../files/text/identifiers.ts'
import { namesOfLine, readLineNames } from './line-names.ts'
import { indexLines, indexNames } from './name-index.ts'

const word = fc.constantFrom(
  ...['http', 'https', '://', '://example.org/a', '/', '.', '_', ' ', '\r', 'é', ','],
  ...['a', '12', 'word', 'camelCase', 'lib/parse.ts', 'readName1', 'x'.repeat(310)],
)
const lines = fc.array(fc.array(word, { maxLength: 8 }).map((words) => words.join('')))

describe('the names in the lines of a text', () => {
  it('are those of each line by itself', () => {
    fc.assert(
      fc.property(lines, (each) => {
        const names = readLineNames(each.join('\n'), each.length)
        expect(each.map((_, line) => namesOfLine(names, line))).toEqual(each.map(identifiersIn))
      }),
      { numRuns: 1000 },
    )
  })

  it('are told as those of the lines that are left out', () => {
    fc.assert(
      fc.property(lines, fc.nat({ max: 200 }), (each, chars) => {
        const leftOut = [...each.keys()].filter((line) => line % 3 !== 1)
        const shown = each.filter((_, line) => line % 3 === 1).join('\n')
        const names = readLineNames(each.join('\n'), each.length)
        const texts = leftOut.map((line) => each[line] as string)
        expect(indexLines(names, leftOut, shown, { chars })).toEqual(
          indexNames(texts, shown, { chars }),
        )
      }),
    )
  })

  it('are told alike where there are more than anybody counts', () => {
    const each = Array.from({ length: 900 }, (_, line) =>
      Array.from({ length: 8 }, (_, at) => `value_${(line * 8 + at) % 6500}`).join(' '),
    )
    const names = readLineNames(each.join('\n'), each.length)
    const all = indexLines(names, [...each.keys()], 'value_100', { chars: 400 })
    expect(all).toEqual(indexNames(each, 'value_100', { chars: 400 }))
    expect(all.more).toBeGreaterThan(4900)
  })
})
