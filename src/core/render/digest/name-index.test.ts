import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifiersIn, indexNames } from './name-index.ts'

/** The same rule, written a second time. */
const candidate = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}|[A-Za-z0-9_./@-]{8,300}/g

function namesByExpression(text: string): readonly string[] {
  return Array.from(text.matchAll(candidate), ([found]) =>
    found.replace(/^[@-]+/, '').replace(/[.\-/@,;:]+$/, ''),
  ).filter((name) => name.length >= 8 && isIdentifier(name))
}

function isIdentifier(name: string): boolean {
  if (/^[\d./:T-]+Z?$/.test(name)) return /^\d{8,20}$/.test(name)
  if (!/[A-Za-z0-9]/.test(name) || (name.length >= 40 && isEncoded(name))) return false
  return /[\d_/.]/.test(name) || /[a-z][A-Z]/.test(name)
}

function isEncoded(name: string): boolean {
  const isLong = name.split(/[_./-]/).some((part) => part.length >= 40)
  return isLong && /\d/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name)
}

const pieces = [
  ...['http', 'https', '://', ':', '/', '.', '-', '_', '@', ' ', '\n', '"', 'é', '→', ',', ';'],
  ...[
    'a',
    'B',
    'T',
    'Z',
    '0',
    '12',
    'word',
    'Long',
    'camelCase',
    'x'.repeat(150),
    'Ab1'.repeat(20),
  ],
]

describe('the names in a text', () => {
  it('are addresses and words with a digit, a separator or an inner capital', () => {
    const text =
      'See https://example.org/a?b=c. readFile in src/app.ts, not someplace at 2024-05-01T10:00Z'
    expect(identifiersIn(text)).toEqual(['https://example.org/a?b=c', 'readFile', 'src/app.ts'])
  })

  it('are those that one expression finds, whatever stands next to them', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (each) => {
        expect(identifiersIn(each)).toEqual(namesByExpression(each))
      }),
      { numRuns: 2000 },
    )
  })

  it('are told by their rank, and those of one rank as they came', () => {
    const leftOut = ['lib/parse.ts readName1 readName2 readName2 12345678 shownName']
    expect(indexNames(leftOut, 'shownName', { chars: 32 })).toEqual({
      names: ['lib/parse.ts', 'readName2', '12345678'],
      more: 1,
    })
  })
})
