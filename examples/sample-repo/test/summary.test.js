import assert from 'node:assert/strict'
import { it, describe as suite } from 'node:test'
import { describe, shareOf, summarise, toExpenses } from '../src/summary.js'
import { renderSummary } from '../src/table.js'

const expenses = [
  { date: '2026-01-30', payee: 'Baker', category: 'food', cents: 450 },
  { date: '2026-02-01', payee: 'Landlord', category: 'rent', cents: 90000 },
  { date: '2026-02-03', payee: 'Grocer', category: 'food', cents: 3125 },
]

suite('toExpenses', () => {
  const values = { date: '2026-01-30', payee: 'Baker', category: '', amount: '4.50' }

  it('fills in a category', () => {
    const problems = []
    assert.deepEqual(toExpenses([{ line: 2, values }], problems), [
      { line: 2, date: '2026-01-30', payee: 'Baker', category: 'other', cents: 450 },
    ])
    assert.deepEqual(problems, [])
  })

  it('reports what is no amount and no date', () => {
    const problems = []
    const records = [
      { line: 2, values: { ...values, amount: 'x' } },
      { line: 3, values: { ...values, date: '2026-02-30' } },
    ]
    assert.deepEqual(toExpenses(records, problems), [])
    assert.deepEqual(problems, [
      { line: 2, message: '"x" is not an amount' },
      { line: 3, message: '"2026-02-30" is not a date' },
    ])
  })
})

suite('summarise', () => {
  it('adds up by category, largest first', () => {
    const { groups, total } = summarise(expenses)
    assert.deepEqual(
      groups.map(({ name, count, cents }) => [name, count, cents]),
      [
        ['rent', 1, 90000],
        ['food', 2, 3575],
      ],
    )
    assert.deepEqual(total, { count: 3, cents: 93575, first: '2026-01-30', last: '2026-02-03' })
  })

  it('folds the rest', () => {
    const { groups } = summarise(expenses, { by: 'payee', top: 1 })
    assert.deepEqual(
      groups.map(({ name, cents }) => [name, cents]),
      [
        ['Landlord', 90000],
        ['2 others', 3575],
      ],
    )
  })
})

suite('what people see', () => {
  it('is a sentence', () => {
    const text = '3 expenses, 935.75 together; the largest category is rent with 900.00 (96.2 %).'
    assert.equal(describe(summarise(expenses)), text)
    assert.equal(shareOf(1, 0), 0)
  })

  it('is a table', () => {
    assert.equal(
      renderSummary(summarise(expenses)),
      [
        'category  count  amount    share',
        '--------  -----  ------  -------',
        'rent          1  900.00   96.2 %',
        'food          2   35.75    3.8 %',
        '--------  -----  ------  -------',
        'total         3  935.75  100.0 %',
        '',
      ].join('\n'),
    )
  })
})
