import { expect, it } from 'vitest'
import { fittedHelp } from './wrapped.ts'

it('fills the sentences of a help text anew for the width of the terminal, and leaves examples alone', () => {
  const help = [
    'Usage: palimpsest gain [options]',
    '',
    'Options:',
    '  --json  print one JSON value',
    '',
    'A saving is what usage shows: what it cost, against the same request with',
    'everything that was left out. A loss counts as a loss.',
    '',
    'Examples:',
    '  palimpsest gain',
  ].join('\n')
  const narrow = fittedHelp(help, 40).split('\n')
  expect(narrow.filter((line) => line.length > 40)).toEqual([])
  expect(narrow.slice(0, 5)).toEqual(help.split('\n').slice(0, 5))
  expect(narrow.slice(5, 10)).toEqual([
    'A saving is what usage shows: what it',
    'cost, against the same request with',
    'everything that was left out. A loss',
    'counts as a loss.',
    '',
  ])
  expect(narrow.slice(-2)).toEqual(['Examples:', '  palimpsest gain'])
})
