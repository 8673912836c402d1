import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shapeOf } from './plain.ts'

it('sees the same shape in ASCII and beside other characters', () => {
  const pieces = fc.constantFrom(
    'a',
    'F',
    'g',
    '0',
    '7',
    ' ',
    '\t',
    '\u000b',
    '-',
    '"',
    'Z',
    '@',
    '`',
  )
  fc.assert(
    fc.property(fc.array(pieces), (line) => {
      const text = line.join('')
      const byPattern = text.replaceAll(/[0-9a-f]*\d[0-9a-f]*/gi, '0').replaceAll(/\s+/g, ' ')
      expect([shapeOf(text), shapeOf(`${text}ä`)]).toEqual([byPattern, `${byPattern}ä`])
    }),
  )
})
