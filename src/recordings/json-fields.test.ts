import { describe, expect, it } from 'vitest'
import { timeOf } from './json-fields.ts'

const time = Date.UTC(2026, 0, 5, 10, 0, 0)

describe('recorded times', () => {
  it('are the same in every unit and spelling', () => {
    const spellings = [
      time / 1e3,
      time,
      time * 1e3,
      time * 1e6,
      String(time),
      String(time / 1e3),
      '2026-01-05T10:00:00.000Z',
      '2026-01-05T11:00:00+01:00',
      '2026-01-05T10:00:00',
      '2026-01-05 10:00:00.000000',
    ]
    expect(spellings.map(timeOf)).toEqual(spellings.map(() => time))
  })

  it('are none where the value is no time that can be written', () => {
    const values = ['', 'yesterday', -1e30, 1e30, Number.NaN, Infinity, null, {}, [time], true]
    expect(values.map(timeOf)).toEqual(values.map(() => undefined))
  })
})
