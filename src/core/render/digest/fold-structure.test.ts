import { describe, expect, it } from 'vitest'
import { lines } from '../../../../test/core/sample-source.ts'
import { foldStructure } from './fold-structure.ts'

const options = { targetChars: 1200, recall: 'context_restore a1b2c3' }

const source = `import { log } from './log.ts'

${lines(10, (n) => `export function part${n}(input: string): string {\n${lines(n === 3 ? 40 : 6, (line) => `  const step${line} = input + ${line}`)}\n  return input\n}\n`)}`

describe('file text that is far too large', () => {
  it('keeps its signatures and folds its largest bodies, each with a handle of its own', () => {
    const folded = foldStructure(source, { ...options, targetChars: source.length - 400 }) ?? ''
    const first =
      source.split('\n').findIndex((line) => line.startsWith('export function part3')) + 2
    expect(folded).toContain(
      `export function part3(input: string): string {\n[… 41 file lines left out · context_restore a1b2c3:${first}-${first + 40}]\n}`,
    )
    const more = foldStructure(source, options) ?? ''
    const folds = [...more.matchAll(/\ba1b2c3:(\d+)-(\d+)\]$/gm)]
    expect(folds.length).toBeGreaterThan(3)
    const restored = folds.flatMap(([, from, to]) =>
      source.split('\n').slice(Number(from) - 1, Number(to)),
    )
    const kept = more.split('\n').filter((line) => !line.startsWith('[… '))
    const said = (all: readonly string[]): readonly string[] => all.filter(Boolean).toSorted()
    expect(said([...kept, ...restored])).toEqual(said(source.split('\n')))
    expect(folded.match(/^export function part\d+/gm)).toHaveLength(10)
  })

  it('reads line numbers in front of it', () => {
    const numbered = source
      .split('\n')
      .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
      .join('\n')
    const folded = foldStructure(numbered, options) ?? ''
    expect(folded.match(/→export function part\d+/g)).toHaveLength(10)
    expect(folded.length).toBeLessThan(numbered.length)
  })

  it('is never cut blindly: text without structure stays', () => {
    expect(
      foldStructure(
        lines(900, (n) => `sentence number ${n} of a long letter`),
        options,
      ),
    ).toBeNull()
  })
})
