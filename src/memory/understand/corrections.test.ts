import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCorrections } from './corrections.ts'

const changes = (text: string): readonly (readonly [string | undefined, string])[] =>
  findCorrections(text).map((found) => [found.old, found.new])

describe('corrections in what a user says', () => {
  it.each([
    ['not npm, use pnpm', 'npm', 'pnpm'],
    ['change from tabs to spaces', 'tabs', 'spaces'],
    ['I meant staging, not production', 'production', 'staging'],
    ['Instead of yarn, use bun', 'yarn', 'bun'],
    ['we moved off Jenkins to GitHub Actions', 'Jenkins', 'GitHub Actions'],
    ['Postgres, not MySQL', 'MySQL', 'Postgres'],
    ['use rebase rather than merge', 'merge', 'rebase'],
    ['we no longer use Redux, we use Zustand now', 'Redux', 'Zustand'],
    ['we dropped MongoDB in favour of Postgres', 'MongoDB', 'Postgres'],
    ['please replace moment with dayjs', 'moment', 'dayjs'],
    ['We use npm, no wait, pnpm.', 'npm', 'pnpm'],
    ['the deadline is Friday, sorry, Thursday', 'Friday', 'Thursday'],
  ])('finds both sides of “%s”', (text, old, newer) => {
    expect(changes(text)).toEqual([[old, newer]])
  })

  it.each([
    ['Actually, I prefer Vim.', 'I prefer Vim'],
    ["let's switch back to npm", 'npm'],
    ['from now on use tabs', 'tabs'],
    ['sorry, I meant the dev branch', 'dev branch'],
    ['no wait, use postgres', 'postgres'],
    ['Scratch that. Use MySQL.', 'MySQL'],
    ["I've switched to Neovim.", 'Neovim'],
  ])('finds what “%s” installs', (text, newer) => {
    expect(changes(text)).toEqual([[undefined, newer]])
  })

  it.each([
    'No, thanks',
    'Revert the last commit',
    "I'm not sure this works",
    'it is not working but use of the API is fine',
    'If we switched from npm to pnpm it would be faster',
    'Should we switch from npm to pnpm?',
    "don't switch from npm to pnpm",
    'My colleague switched from vim to emacs',
    'He said "not npm, use pnpm"',
    'The docs say: switch from npm to pnpm',
    '```\nnot npm, use pnpm\n```',
    '> not npm, use pnpm',
    '$ git switch -c fix # not main, use dev',
    'there is no cache in this service',
    'we have no tests and no documentation',
  ])('finds nothing in “%s”', (text) => {
    expect(findCorrections(text)).toEqual([])
  })

  it('repairs a question that was begun twice', () => {
    const texts = (text: string): readonly string[] =>
      findCorrections(text).map((found) => found.text)
    expect(texts('Where does, no sorry, when does the build run?')).toEqual([
      'When does the build run?',
    ])
    expect(texts('Which port I mean host does the server use?')).toEqual([
      'Which host does the server use?',
    ])
    expect(texts('How many workers oops threads are started?')).toEqual([
      'How many threads are started?',
    ])
  })

  it('never throws, and finds nothing in a pasted document', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(Array.isArray(findCorrections(text))).toBe(true)
      }),
    )
    const plan = `# Plan\n\n## Steps\n\n${'- not npm, use pnpm\n'.repeat(10)}`
    expect(findCorrections(plan)).toEqual([])
  })
})
