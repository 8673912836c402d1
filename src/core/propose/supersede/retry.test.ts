import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ pruneRetryParts: true })

function call(id: string, rest: Partial<ToldCall> = {}): ToldCall {
  return { id, tool: 'build', input: { target: 'a' }, output: lines(1, 9), ...rest }
}

const failure = (id: string): ToldCall => call(id, { status: 'error' })

describe('failures of a call', () => {
  it('all go once it succeeded', () => {
    expect(tell([[failure('a')], [failure('b')], [], [call('c')]], settings).results).toEqual({
      a: 'superseded retry c',
      b: 'superseded retry c',
    })
  })

  it('stay when the input was corrected, because it is another call', () => {
    expect(tell([[failure('a')], [call('b', { input: {} })]], settings).results).toEqual({})
  })

  it('stay when it had succeeded before', () => {
    expect(tell([[call('a')], [failure('b')]], settings).results).toEqual({})
  })

  it('do not come back as reasons when it fails again', () => {
    const turns = [[failure('a')], [call('b')], [failure('c')], [failure('d')], [call('e')]]
    expect(tell(turns, settings).results).toEqual({
      a: 'superseded retry b',
      c: 'superseded retry e',
      d: 'superseded retry e',
    })
  })
})
