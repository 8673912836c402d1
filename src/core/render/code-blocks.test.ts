import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proseOutsideCodeBlocks, shortenCodeBlocks } from './code-blocks.ts'
import { firstAndLastLines } from './head-tail.ts'

const options = { limit: 20, keep: 3, recall: { handle: 'a1b2c3', restore: 'context_restore' } }
const code = (count: number): string =>
  Array.from({ length: count }, (_, index) => `const value${index + 1} = ${index + 1}`).join('\n')
const shorten = (text: string): string => shortenCodeBlocks(text, options)

const shortened = [
  'const value1 = 1',
  'const value2 = 2',
  'const value3 = 3',
  '[… 15 lines left out · context_restore a1b2c3]',
  'const value19 = 19',
  'const value20 = 20',
  'const value21 = 21',
].join('\n')

describe('shortenCodeBlocks', () => {
  it('keeps three and three lines of a block over 20 lines, and all prose', () => {
    expect(shorten(`Look:\n\`\`\`ts\n${code(21)}\n\`\`\`\nWhy?`)).toBe(
      `Look:\n\`\`\`ts\n${shortened}\n\`\`\`\nWhy?`,
    )
  })

  it('leaves a block of 20 lines alone', () => {
    const text = `\`\`\`\n${code(20)}\n\`\`\``
    expect(shorten(text)).toBe(text)
  })

  it('never touches prose, however long', () => {
    const text = `${code(100)}\n\`not a fence\`\n${code(100)}`
    expect(shorten(text)).toBe(text)
  })

  it('knows tildes, and that the other fence inside them is text', () => {
    const inside = `\`\`\`\n${code(21)}\n\`\`\``
    const shown = shorten(`~~~md\n${inside}\n~~~`)
    expect(shown.split('\n')).toHaveLength(9)
    expect(shown).toContain('\n[… 17 lines left out')
    expect(shown.endsWith('\n```\n~~~')).toBe(true)
  })

  it('takes a longer fence to be closed by one as long only', () => {
    const text = `\`\`\`\`md\n\`\`\`js\n${code(21)}\n\`\`\`\n\`\`\`\`\nprose`
    const shown = shorten(text)
    expect(shown).toBe(
      `\`\`\`\`md\n\`\`\`js\nconst value1 = 1\nconst value2 = 2\n[… 17 lines left out · context_restore a1b2c3]\nconst value20 = 20\nconst value21 = 21\n\`\`\`\n\`\`\`\`\nprose`,
    )
  })

  it('leaves everything after a fence alone that is never closed', () => {
    const text = `\`\`\`ts\n${code(30)}\nand this is what I wanted to ask`
    expect(shorten(text)).toBe(text)
  })

  it.each([
    ['a block with a language', '```ts\nconst b = 2\n```'],
    ['a block with a longer fence', '````ts\nconst b = 2\n````'],
    ['a block without a language', '```\nconst b = 2\n```'],
    [
      'several blocks without a language',
      `\`\`\`\n${code(3)}\n\`\`\`\n${code(30)}\n\`\`\`\nx\n\`\`\``,
    ],
  ])('leaves prose alone that stands between a fence that is never closed and %s', (_, block) => {
    const prose = Array.from({ length: 25 }, (_, at) => `This is sentence ${at}.`).join('\n')
    const text = `\`\`\`js\nconst a = 1\n\n${prose}\n\n${block}\nthanks`
    expect(shorten(text)).toBe(text)
  })

  it('still shortens the block after one of which nobody knows where it ends', () => {
    const text = `\`\`\`js\nprose\n\`\`\`ts\nx\n\`\`\`\n~~~\n${code(21)}\n~~~\n\`\`\`\n${code(21)}\n\`\`\``
    expect(shorten(text)).toBe(
      `\`\`\`js\nprose\n\`\`\`ts\nx\n\`\`\`\n~~~\n${shortened}\n~~~\n\`\`\`\n${shortened}\n\`\`\``,
    )
  })

  it('takes inline code with three backticks for no fence', () => {
    const text = `\`\`\`one\`\`\` is inline\n${code(30)}\n\`\`\`two\`\`\``
    expect(shorten(text)).toBe(text)
  })

  it('reads the line ends of Windows', () => {
    const text = `\`\`\`ts\r\n${code(21).replaceAll('\n', '\r\n')}\r\n\`\`\`\r\nprose`
    expect(shorten(text).split('\n')).toHaveLength(10)
    expect(shorten(text).endsWith('\r\n```\r\nprose')).toBe(true)
  })

  it('leaves a block alone whose middle is shorter than its count', () => {
    const text = `\`\`\`\n${'\n'.repeat(40)}\n\`\`\``
    expect(shorten(text)).toBe(text)
  })

  it('changes nothing outside closed blocks, gets never longer, and nothing the second time', () => {
    const line = fc.oneof(
      fc.constantFrom('```', '```ts', '~~~', '````', ' ```', '    ```', '', 'prose', '``` x ```'),
      fc.string({ maxLength: 30 }),
      fc.constant(code(25)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n')
        const shown = shorten(text)
        expect(shown.length).toBeLessThanOrEqual(text.length)
        expect(proseOutsideCodeBlocks(shown)).toBe(proseOutsideCodeBlocks(text))
        expect(shorten(shown)).toBe(shown)
      }),
    )
  })
})

describe('proseOutsideCodeBlocks', () => {
  it('is what the user wrote, with the fences of what was pasted', () => {
    expect(proseOutsideCodeBlocks('a\n```\nb\n```\nc\n~~~\nd')).toBe('a\n```\n```\nc\n~~~\nd')
  })
})

describe('firstAndLastLines', () => {
  const cut = (text: string): string =>
    firstAndLastLines(text, { keep: 3, recall: { handle: 'a1b2c3', restore: 'context_restore' } })

  it('keeps three and three lines', () => {
    expect(cut(`${code(21)}\n`)).toBe(shortened)
  })

  it('leaves a text alone that is hardly longer, or not longer in characters', () => {
    expect(cut(code(7))).toBe(code(7))
    const thin = 'a\n'.repeat(12)
    expect(cut(thin)).toBe(thin)
  })

  it('cuts lines that are long by themselves', () => {
    const text = `${'x'.repeat(5000)}\n${code(21)}`
    expect(cut(text).split('\n')[0]).toBe(`${'x'.repeat(999)}…`)
    expect(cut(cut(text))).toBe(cut(text))
  })
})
