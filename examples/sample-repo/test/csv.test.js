import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatRows, guessSeparator, parseRecords, parseRows } from '../src/csv.js'

const fieldsOf = (text) => parseRows(text).rows.map((row) => row.fields)

describe('parseRows', () => {
  it('splits lines and fields', () => {
    assert.deepEqual(fieldsOf('a,b\r\nc,d\n'), [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('keeps separators and line ends inside quotes', () => {
    assert.deepEqual(fieldsOf('"a,b","c\nd"\n'), [['a,b', 'c\nd']])
  })

  it('reads a doubled quote as a quote', () => {
    assert.deepEqual(fieldsOf('"say ""hi""",b\n'), [['say "hi"', 'b']])
  })

  it('reports a quoted field without an end', () => {
    const { problems } = parseRows('a,b\n"c,d\n')
    assert.deepEqual(problems, [{ line: 2, message: 'a quoted field has no end' }])
  })

  it('counts lines across quoted line ends', () => {
    const { rows } = parseRows('"a\nb"\nc\n')
    assert.deepEqual(
      rows.map((row) => row.line),
      [1, 3],
    )
  })
})

describe('guessSeparator', () => {
  it('counts outside of quotes only', () => {
    assert.equal(guessSeparator('"a,b,c";d;e\n'), ';')
  })

  it('takes a comma when there is nothing to count', () => {
    assert.equal(guessSeparator('abc\n'), ',')
  })
})

describe('parseRecords', () => {
  it('names the fields by the header', () => {
    const { records } = parseRecords('Date, Paid To\n2026-01-02, Baker\n')
    assert.deepEqual(records, [{ line: 2, values: { date: '2026-01-02', paid_to: 'Baker' } }])
  })

  it('reports rows of another length and goes on', () => {
    const { records, problems } = parseRecords('a,b\n1\n2,3\n')
    assert.deepEqual(records, [{ line: 3, values: { a: '2', b: '3' } }])
    assert.deepEqual(problems, [{ line: 2, message: '1 fields where the header has 2' }])
  })
})

describe('formatRows', () => {
  it('is read back as what it was', () => {
    const rows = [
      ['plain', 'with, comma'],
      ['with "quotes"', 'two\nlines'],
    ]
    assert.deepEqual(fieldsOf(formatRows(rows)), rows)
  })
})
