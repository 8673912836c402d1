import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNamesIn } from './file-kinds.ts'

/** The rule as expressions, which take longer because they look at every word. */
function namesByExpressions(text: string): readonly string[] {
  return (text.match(/[\w@.-]{3,200}/g) ?? [])
    .map((word) => word.replace(/[.-]{1,9}$/, ''))
    .filter((name) => /[^.]\.[A-Za-z]\w{0,9}$/.test(name))
}

describe('the names of files in a text', () => {
  it('come without their folders and what ends a sentence, as often as they stand there', () => {
    const text = 'Look at src/app.ts, then lib/a-b.test.ts. And app.ts again, version 1.2.3.'
    expect(fileNamesIn(text)).toEqual(['app.ts', 'a-b.test.ts', 'app.ts'])
  })

  it('are those that expressions find, also in words without end', () => {
    const parts = ['.', '-', '@', 'a', 'B', '_', '1', ' ', '\n', 'é', '/', '.ts', 'x'.repeat(99)]
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (each) => {
        expect(fileNamesIn(each)).toEqual(namesByExpressions(each))
      }),
      { numRuns: 2000 },
    )
  })
})
