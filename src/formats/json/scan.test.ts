import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maximumDepth, skipSpace, skipString, skipValue } from './scan.ts'
import { checkSyntax } from './syntax-error.ts'

describe('skipping JSON', () => {
  it('finds the end of any value, whatever follows it', () => {
    const after = fc.constantFrom('', ',', ' ,"', ']', '}', '\n}')
    fc.assert(
      fc.property(fc.json(), after, (json, rest) => {
        expect(skipValue(`${json}${rest}`, 0)).toBe(json.length)
      }),
    )
  })

  it('is not fooled by quotes, brackets and backslashes in strings', () => {
    for (const text of ['a"b', '\\', '\\"', '"\\\\"', ']}', '{[', '\\\\\\"']) {
      const json = JSON.stringify(text)
      expect(skipString(`${json},"x"`, 0)).toBe(json.length)
      expect(skipValue(`[${json}]]`, 0)).toBe(json.length + 2)
    }
  })

  it('says so when a value never ends or is none', () => {
    for (const text of ['"abc', '"abc\\"', '[1,', '{"a":', '', ',', '}', ']', ' 1']) {
      expect(skipValue(text, 0)).toBe(-1)
    }
  })

  it('goes down as far as the limit and not further', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(skipValue(nested(maximumDepth), 0)).toBe(2 * maximumDepth)
    expect(skipValue(nested(maximumDepth + 1), 0)).toBe(-1)
  })

  it('knows the four kinds of white space and no other', () => {
    expect(skipSpace(' \t\r\n\u00a0', 0)).toBe(4)
    expect(skipSpace('  ', 0)).toBe(2)
  })

  it('takes linear time for a string of quotes or backslashes', () => {
    const time = (length: number): number => {
      const texts = [`"${'\\"'.repeat(length)}"`, `"${'\\\\'.repeat(length)}"`]
      const start = performance.now()
      for (const text of texts) expect(skipString(text, 0)).toBe(text.length)
      return performance.now() - start
    }
    time(1_000)
    expect(time(1_000_000)).toBeLessThan(1_000)
  })
})

describe('the first syntax error', () => {
  it('is there exactly when JSON.parse refuses', () => {
    const harmed = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.constantFrom(...'"\\{}[],:0-+.eE \ntx', ''),
      )
      .map(([json, at, length, put]) => {
        const position = at % (json.length + 1)
        return json.slice(0, position) + put + json.slice(position + length)
      })
    fc.assert(
      fc.property(harmed, (text) => {
        // Wrapped, because white space around the value is not its part.
        const wrapped = `[${text}]`
        expect(checkSyntax(wrapped, 0) === wrapped.length).toBe(parses(wrapped))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['{"a":1,}', 7, 'unexpected "}"'],
    ['[1 2]', 3, 'unexpected "2"'],
    ['{"a" 1}', 5, 'unexpected "1"'],
    ['{a:1}', 1, 'unexpected "a"'],
    ['[tru]', 4, 'unexpected "]"'],
    ['[01]', 2, 'unexpected "1"'],
    ['[1.]', 3, 'unexpected "]"'],
    ['[-]', 2, 'unexpected "]"'],
    ['[1e+]', 4, 'unexpected "]"'],
    ['["\\x"]', 3, 'unexpected "x"'],
    ['["\\u12g4"]', 6, 'unexpected "g"'],
    ['["a\nb"]', 3, 'unexpected "\\n"'],
    ['[{]', 2, 'unexpected "]"'],
    ['["abc', 5, 'the text ends too early'],
    ['', 0, 'the text ends too early'],
  ])('of %j stands at %i', (text, offset, message) => {
    expect(checkSyntax(text, 0)).toEqual({ offset, message })
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
