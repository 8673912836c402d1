import { describe, expect, it } from 'vitest'
import { withUsualSpelling } from './usual-spelling.ts'

describe('words of change in usual spelling', () => {
  it.each([
    ['tiles r 32px now', 'tiles are 32px now'],
    ['no mor mp3s plz, opus form now on', 'no more mp3s please, opus from now on'],
    ['i swithced to reaper', 'i switched to reaper'],
    ['were on bun', "we're on bun"],
    ['wir nehmen jetzt MuseScore statt LilyPond', 'wir nehmen now MuseScore instead of LilyPond'],
    ['godot it is 🎮', 'godot it is'],
  ])('%s', (typed, meant) => {
    expect(withUsualSpelling(typed)).toBe(meant)
  })

  it.each([
    'we use r for statistics',
    'the form now has two fields',
    'the switch is in U.S. stores',
    'see ur/moths.dta and swithced_on',
    'it retried after two months',
    'the loner changed',
    'we use constructor injection, and hasOwnProperty',
    `a gap of ${' '.repeat(20_000)} blanks`,
  ])('leaves names and other words: %s', (text) => {
    expect(withUsualSpelling(text)).toBe(text)
  })
})
