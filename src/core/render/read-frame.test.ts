import { describe, expect, it } from 'vitest'
import { operation } from '../../../test/core/observed-operation.ts'
import { outputOf } from '../words/operation.ts'
import { frameOf } from './read-frame.ts'

const tokens =
  '\n\n<system-reminder>\n<total_tokens>9 tokens left</total_tokens>\n</system-reminder>'

describe('the frame of a result whose ends were trimmed', () => {
  it('has an empty last line behind a bare number', () => {
    const text = `1\tone\n2\ttwo\n3${tokens}`
    const frame = frameOf(text, { first: 1, lines: ['one', 'two', ''] }, [0, 2, 3])
    expect(frame?.lines).toEqual({ start: 0, end: 14, cuts: [0, 12, 14] })
    expect(frame?.after).toBe('')
  })

  it('has a first number without its blanks', () => {
    const text = `1\tone\n     2\ttwo\n     3\t${tokens}`
    const frame = frameOf(text, { first: 1, lines: ['one', 'two', ''] }, [0, 1, 2])
    expect(frame?.lines).toEqual({ start: 0, end: 25, cuts: [0, 6, 17] })
  })

  it('begins behind the byte-order mark', () => {
    const frame = frameOf('\ufeffone\ntwo', { first: 1, lines: ['one', 'two'] }, [1])
    expect(frame).toMatchObject({ before: '\ufeff', lines: { start: 1, cuts: [5] } })
  })
})

describe('the output of a result', () => {
  it('is its text without the reminders behind it', () => {
    const sample = operation({ action: { kind: 'other' } })
    const text = `printed${tokens}`
    const result = { ...(sample.result as NonNullable<typeof sample.result>), text }
    const injected = [{ kind: 'system-reminder', text: tokens.trim() }] as const
    const reading = { ...(sample.reading as NonNullable<typeof sample.reading>), injected }
    expect(outputOf({ result, reading })).toBe('printed')
    expect(outputOf({ result, reading: { ...reading, injected: [] } })).toBe(text)
    expect(outputOf({ result: { ...result, text: `${text} and more` }, reading })).toBe(
      `${text} and more`,
    )
  })
})
