import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeUtf8 } from './decode-utf8.ts'

const padding = 'x'.repeat(600)

it('decodes what was encoded, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const whole = Buffer.from(text).toString()
      expect(decodeUtf8(Buffer.from(whole))).toBe(whole)
      expect(decodeUtf8(Buffer.from(padding + whole))).toBe(padding + whole)
    }),
  )
})

it('puts a replacement character where the bytes are no UTF-8, as the standard decoder does', () => {
  for (const bytes of [[0xff], [0xc3], [0xe4, 0xb8], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
    const damaged = Buffer.concat([
      Buffer.from(`${padding}ä`),
      Buffer.from(bytes),
      Buffer.from('end'),
    ])
    expect(decodeUtf8(damaged)).toBe(new TextDecoder().decode(damaged))
    expect(decodeUtf8(damaged)).toContain('\ufffd')
  }
})
