import { describe, expect, it } from 'vitest'
import { foundLines } from './search-result.ts'

const glimpse = (path: string, ...stretches: { first: number; lines: string[] }[]): unknown => ({
  path,
  stretches,
  complete: false,
})

describe('the lines that a search found', () => {
  it('stand below their file, with their numbers', () => {
    const output = [
      'Found 3 matches',
      '/app/a.ts:',
      '  Line 4: \tone(',
      '',
      '  Line 5: \ttwo)',
      '',
      '/app/b.ts:',
      '  Line 9: three: 3',
    ].join('\n')
    expect(foundLines(output, null)).toEqual([
      glimpse('/app/a.ts', { first: 4, lines: ['\tone(', '\ttwo)'] }),
      glimpse('/app/b.ts', { first: 9, lines: ['three: 3'] }),
    ])
  })

  it('stand behind their file and their number', () => {
    const output = 'src/a.ts:4:  one: 1\nsrc/a.ts-5-  around\n--\nsrc/b.ts:70:x\nFound 2 files'
    expect(foundLines(output, null)).toEqual([
      glimpse('src/a.ts', { first: 4, lines: ['  one: 1'] }),
      glimpse('src/b.ts', { first: 70, lines: ['x'] }),
    ])
  })

  it('stand behind their number alone where one file was searched, and nothing else does', () => {
    expect(foundLines('3-before\n4:one\n5:two\n--\n9:three', 'a.ts')).toEqual([
      glimpse('a.ts', { first: 4, lines: ['one', 'two'] }, { first: 9, lines: ['three'] }),
    ])
    expect(foundLines('4:one\nBinary file matches', 'a.ts')).toEqual([])
  })

  it('are left out where they may have been cut, or coloured', () => {
    const output = `a.ts:1:${'x'.repeat(401)}\na.ts:2:\u001b[31mred\u001b[0m\na.ts:3:kept`
    expect(foundLines(output, null)).toEqual([glimpse('a.ts', { first: 3, lines: ['kept'] })])
  })

  it('are none where no search speaks', () => {
    expect(foundLines('src/a.ts\nsrc/b.ts', null)).toEqual([])
    expect(foundLines('No matches found', 'a.ts')).toEqual([])
  })
})
