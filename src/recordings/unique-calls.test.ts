import { describe, expect, it } from 'vitest'
import { UniqueCalls } from './unique-calls.ts'

describe('unique call ids', () => {
  it('keeps recorded ids that are unique', () => {
    const calls = new UniqueCalls()
    expect([calls.issue('toolu_1', 'Read'), calls.issue('toolu_2', 'Bash')]).toEqual([
      'toolu_1',
      'toolu_2',
    ])
    expect(calls.settle('toolu_2')).toEqual({ kind: 'settled', call: 'toolu_2', tool: 'Bash' })
  })

  it('tells calls apart that all have the id REDACTED, and answers them in order', () => {
    const calls = new UniqueCalls()
    const ids = ['Read', 'Bash', 'Edit'].map((tool) => calls.issue('REDACTED', tool))
    expect(ids).toEqual(['REDACTED', 'REDACTED~2', 'REDACTED~3'])
    expect([calls.settle('REDACTED'), calls.settle('REDACTED')]).toEqual([
      { kind: 'settled', call: 'REDACTED', tool: 'Read' },
      { kind: 'settled', call: 'REDACTED~2', tool: 'Bash' },
    ])
  })

  it('never gives out an id that a recorder wrote for another call', () => {
    const calls = new UniqueCalls()
    const ids = ['a~2', 'a', 'a', 'a'].map((id) => calls.issue(id, 'Read'))
    expect(new Set(ids).size).toBe(4)
    expect(ids.slice(0, 2)).toEqual(['a~2', 'a'])
  })

  it('says when a result is the second of its call, and when its call is not there', () => {
    const calls = new UniqueCalls()
    calls.issue('a', 'Read')
    calls.settle('a')
    expect(calls.settle('a')).toEqual({ kind: 'repeated', call: 'a', tool: 'Read' })
    expect(calls.settle('b')).toEqual({ kind: 'orphan', call: 'b', tool: '' })
    expect(calls.settle('b')).toEqual({ kind: 'orphan', call: 'b~2', tool: '' })
  })
})
