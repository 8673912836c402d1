import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shell, sourceOf } from '../../../../test/core/sample-source.ts'
import { moreThan, readOutput, shareOf } from './output.ts'

describe('what an output looks like', () => {
  it('is decided alike by as many lines as it takes and by all of them', () => {
    const lines = fc.array(fc.constantFrom('yes', 'no', ''), { maxLength: 30 })
    const shares = fc.constantFrom(0, 0.02, 0.3, 0.5, 0.6, 0.85, 0.9, 1)
    fc.assert(
      fc.property(lines, shares, (told, share) => {
        const output = readOutput(sourceOf(told.join('\n'), shell('node check.js')))
        expect(moreThan(share, output, /yes/)).toBe(shareOf(output, /yes/) > share)
      }),
    )
  })

  it('depends on the command that printed it, whoever printed the same before', () => {
    const text = 'a\nb\nc'
    const [first, second, again] = ['ls', 'cat a', 'ls'].map(
      (command) => readOutput(sourceOf(text, shell(command))).programs[0]?.[0],
    )
    expect([first, second, again]).toEqual(['ls', 'cat', 'ls'])
  })

  it('is a report of how a command ended in any of its lines', () => {
    const output = readOutput(sourceOf('done\nProcess exited with code 1\n', shell('make')))
    expect(output.reportsFailure('Process exited with code 1')).toBe(true)
    expect(output.reportsFailure('done')).toBe(false)
  })
})
