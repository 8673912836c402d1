import { describe, expect, it } from 'vitest'
import { createInMemoryLog } from '../log/memory-log.ts'
import { Memory } from '../memory.ts'
import { observe } from '../observe.ts'
import { itemsAsOf } from '../state/as-of.ts'
import { readDates } from './dates.ts'

const said = Date.UTC(2026, 10, 16, 10)
const day = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString().slice(0, 10)

describe('dates in sentences', () => {
  it.each([
    ['We have used pnpm since March', 'We have used pnpm', '2026-03-01', undefined],
    ['Since last Friday I use Zed', 'I use Zed', '2026-11-13', undefined],
    ['From 1 May on we use Vue', 'we use Vue', '2027-05-01', undefined],
    ['As of 2026-12-01, we use Biome.', 'we use Biome.', '2026-12-01', undefined],
    ['Starting next Monday we deploy to Fly.io', 'we deploy to Fly.io', '2026-11-23', undefined],
    ['We switched to pnpm last week', 'We switched to pnpm', '2026-11-09', undefined],
    ['We moved to Postgres in 2024', 'We moved to Postgres', '2024-01-01', undefined],
    ['In June we decided to use Vue', 'we decided to use Vue', '2026-06-01', undefined],
    ['We have been on Go since Q2', 'We have been on Go', '2026-04-01', undefined],
    ['We migrated to Vitest two weeks ago', 'We migrated to Vitest', '2026-11-02', undefined],
    ['until last week we used npm', 'we used npm', undefined, '2026-11-09'],
    ['We use MySQL until June 2027', 'We use MySQL', undefined, '2027-06-01'],
    ['We use MySQL from January 2025 until June 2027', 'We use MySQL', '2025-01-01', '2027-06-01'],
  ])('%s', (sentence, text, from, until) => {
    const found = readDates(sentence, said)
    expect([found.text, day(found.from), day(found.until)]).toEqual([text, from, until])
  })

  it.each([
    'From now on use tabs',
    'Our deadline is on Friday',
    'The release date is 1 May',
    'We use port 8080 on 2 servers',
    'since the rewrite we use pnpm',
    'We may use Vue',
    'We switched from Sun to Oracle',
    'use 2 spaces until it compiles',
    'Read from 10 to 20',
    'We use Python 3.12 since it is faster',
  ])('%s: none that says when', (sentence) => {
    expect(readDates(sentence, said)).toEqual({ text: sentence })
  })
})

describe('what a date does to the memory', () => {
  const place = { project: 'p', session: 's' }
  function told(...texts: readonly string[]): Memory {
    let count = 0
    let clock = said
    const memory = new Memory({
      log: createInMemoryLog(),
      now: () => clock,
      newId: (kind) => `${kind}_${++count}`,
    })
    for (const text of texts) {
      clock += 60_000
      observe(memory, { id: String(++count), role: 'user', text }, place)
    }
    return memory
  }
  const valuesAt = (memory: Memory, date: string): readonly (string | undefined)[] =>
    itemsAsOf(memory.state, Date.parse(date), { valid: Date.parse(date) }).map(
      ({ item }) => item.value,
    )

  it('makes something true from then on, as as-of queries show', () => {
    const memory = told('We have used pnpm since March.')
    expect(valuesAt(memory, '2026-02-01')).toEqual([])
    expect(valuesAt(memory, '2026-04-01')).toEqual(['pnpm'])
  })

  it('lets the old value hold until a coming change', () => {
    const memory = told('We use React.', 'From 1 May on we use Vue.')
    expect(valuesAt(memory, '2027-04-30')).toEqual(['React'])
    expect(valuesAt(memory, '2027-05-02')).toEqual(['Vue'])
  })

  it('ends something at a date, past or coming', () => {
    expect(valuesAt(told('We use MySQL until June 2027.'), '2027-05-31')).toEqual(['MySQL'])
    expect(valuesAt(told('We use MySQL until June 2027.'), '2027-06-02')).toEqual([])
    const memory = told('We have used npm since 2024.', 'Until last week we used npm.')
    expect(valuesAt(memory, '2026-11-01')).toEqual(['npm'])
    expect(valuesAt(memory, '2026-11-12')).toEqual([])
  })

  it('takes the place of what was said before, whatever date the change has', () => {
    const memory = told('We use npm here.', 'We switched to pnpm last week.')
    expect(valuesAt(memory, '2026-11-18')).toEqual(['pnpm'])
  })
})
