import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { isShortRun } from '../../../test/e2e/installed-client.ts'
import { seededRandom, tokenSamples } from '../../../test/token-samples.ts'
import { estimateTokens } from './tokens.ts'

function errorOf(text: string): number {
  return Math.abs(estimateTokens(text) / countTokens(text) - 1)
}

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const plainText = fc.string({
  unit: fc.constantFrom(...'aeBC 中あé19 \t\n\r.(/=\'"_-😀'),
  maxLength: 80,
})

describe('the size of a text', () => {
  test('is nothing for nothing, and at least one token for anything else', () => {
    expect(estimateTokens('')).toBe(0)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(1)
      }),
    )
  })

  test.each(tokenSamples())('is within 15 % of o200k for $name', ({ text }) => {
    expect(errorOf(text)).toBeLessThan(0.15)
  })

  test.each([
    ['Russian', 'Старик сидел у ворот и рассказывал, как в молодости строил дороги в горах. '],
    [
      'German',
      'Der alte Gärtner öffnete das Tor und grüßte die Nachbarn auf der anderen Straßenseite. ',
    ],
    ['shouting', 'PLEASE READ THE FOLLOWING INSTRUCTIONS BEFORE STARTING THE ENGINE. '],
    ['contractions', "It's late, we're tired, and they don't think you'll find what I've lost. "],
    ['snake case', 'max_retry_count = get_default_value(config_path, file_name, line_number)\n'],
  ])('is within 15 % of o200k for %s', (_, text) => {
    expect(errorOf(text.repeat(4))).toBeLessThan(0.15)
  })

  test('counts digits in threes, as o200k does', () => {
    for (let count = 1; count < 40; count++)
      expect(estimateTokens('7'.repeat(count))).toBe(countTokens('7'.repeat(count)))
  })

  test('sees that random letters cost more than words of the same length', () => {
    const random = seededRandom(1)
    const noise = Array.from({ length: 4000 }, () =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charAt(random() * 64),
    ).join('')
    expect(errorOf(noise)).toBeLessThan(0.3)
    expect(estimateTokens(noise)).toBeGreaterThan(2 * estimateTokens('harbour '.repeat(500)))
  })

  test('grows with what is appended, but for what joins at the seam', () => {
    fc.assert(
      fc.property(plainText, plainText, (first, second) => {
        expect(estimateTokens(first + second)).toBeGreaterThanOrEqual(estimateTokens(first) - 3)
      }),
    )
  })

  test('is close to the sum of the sizes of its parts', () => {
    fc.assert(
      fc.property(plainText, plainText, (first, second) => {
        const sum = estimateTokens(first) + estimateTokens(second)
        expect(Math.abs(estimateTokens(first + second) - sum)).toBeLessThanOrEqual(6)
      }),
    )
    const samples = tokenSamples().map((sample) => sample.text)
    const sum = samples.reduce((total, text) => total + estimateTokens(text), 0)
    expect(Math.abs(estimateTokens(samples.join('')) - sum)).toBeLessThanOrEqual(samples.length * 2)
  })

  test('depends on the text alone, not on how the string was made or what came before', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const once = estimateTokens(first)
        estimateTokens(second)
        expect(estimateTokens(`${second}${first}`.slice(second.length))).toBe(once)
      }),
    )
  })

  test('does not depend on how far into a long text something stands', () => {
    const text =
      "don't stop; 中文字 öffnen\r\n        return fooBar(12345, '...')\n\n   \n\tHTMLElement "
    const alone = estimateTokens(text)
    for (let lines = 1330; lines < 1380; lines++) {
      const before = 'ab\n'.repeat(lines)
      const together = estimateTokens(before + text)
      expect(Math.abs(together - estimateTokens(before) - alone)).toBeLessThanOrEqual(1)
    }
  })

  test('is defined for halves of surrogate pairs and every other code unit', () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const tokens = estimateTokens(`a${String.fromCharCode(unit)}`)
      expect(Number.isSafeInteger(tokens) && tokens >= 1 && tokens < 12).toBe(true)
    }
  })

  test.each([...'ax {0=中'].concat('\n', '\t', '\r\n', '😀'))(
    'grows evenly over a run of %j',
    (unit) => {
      const short = estimateTokens(unit.repeat(10_000))
      const long = estimateTokens(unit.repeat(100_000))
      expect(long / short).toBeGreaterThan(9)
      expect(long / short).toBeLessThan(11)
    },
  )

  test('takes no more than linear time over a run of one character', () => {
    // A quadratic pass over two million units would take minutes; this takes milliseconds.
    const started = performance.now()
    for (const unit of ['a', ' ', '\n', '中', '{', '0', '\t', '/'])
      estimateTokens(unit.repeat(2_000_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

const corpus = new URL('../../../../shared/corpus/', import.meta.url)

describe.skipIf(!existsSync(corpus))('the size of recorded sessions', () => {
  // Counting exactly is slow.
  const length = isShortRun ? 25_000 : 100_000

  test(`is within 20 % of o200k for the first ${length} characters of every file`, () => {
    const far: string[] = []
    for (const entry of readdirSync(corpus, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const text = readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8').slice(0, length)
      const pieces = text.match(/[\s\S]{1,1024}/g) ?? []
      const real = pieces.reduce((total, piece) => total + countTokens(piece), 0)
      if (Math.abs(estimateTokens(text) / real - 1) > 0.2) far.push(entry.name)
    }
    expect(far).toEqual([])
  })
})
