import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearRegExp } from './linear-regexp.ts'

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\s', 'x', '-', '\\.')
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
  ),
  term: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc
      .tuple(
        fc.constantFrom('a', 'b', '.', '[ab]'),
        fc.constantFrom('*', '+', '?', '{1,3}', '{2}', '*?', '+?', '??'),
      )
      .map((parts) => parts.join('')),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})?`),
    tie('pattern').map((inner) => `(?=${inner})`),
    tie('pattern').map((inner) => `(?!${inner})`),
  ),
}))
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', '-', ' ', '.', 'é', '\n'),
  maxLength: 14,
})
const whole = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''))

describe('a regular expression in linear time', () => {
  it('finds what JavaScript finds', () => {
    fc.assert(
      fc.property(whole, text, fc.constantFrom('', 'i'), (source, given, flags) => {
        const linear = linearRegExp(source, flags)
        fc.pre(linear !== null)
        expect(linear?.(given)).toBe(new RegExp(source, flags).test(given))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['(a+)+$', 'a'],
    ['(a*)*b', 'a'],
    ['.*a.*a.*a.*ab', 'a'],
    ['a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaX', 'a'],
    ['(?:x+x+)+y', 'x'],
  ])('looks for %s in a long line at once', (source, character) => {
    const started = process.cpuUsage()
    const line = `${character.repeat(20_000)}!`
    const linear = linearRegExp(source, 'g')
    expect(linear?.(line)).toBe(false)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })

  it('refuses what cannot be looked for so', () => {
    for (const source of [
      '(a)\\1+',
      '(?<=a)b*',
      '(?<name>a)*',
      '(a{500}){500}',
      '\\u0041+',
      '(',
      'a**',
    ])
      expect(linearRegExp(source, '')).toBeNull()
    expect(linearRegExp('a*b', '')?.('a'.repeat(30_000_000))).toBeNull()
  })
})
