import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { currencyOf, formatAmount, parseAmount } from '../src/money.js'

describe('parseAmount', () => {
  for (const [text, cents] of [
    ['12.50', 1250],
    ['12.5', 1250],
    ['7', 700],
    ['1,250.00', 125000],
    ['-3.20', -320],
    ['(3.20)', -320],
    ['€ 4.10', 410],
    ['4.10 EUR', 410],
    ['-0.50', -50],
  ]) {
    it(`reads ${text}`, () => assert.equal(parseAmount(text), cents))
  }

  for (const text of ['', 'abc', '1.234', '1,25', '--3']) {
    it(`refuses "${text}"`, () => assert.equal(parseAmount(text), null))
  }
})

describe('formatAmount', () => {
  for (const [cents, text] of [
    [0, '0.00'],
    [5, '0.05'],
    [125000, '1,250.00'],
    [-50, '-0.50'],
    [123456789, '1,234,567.89'],
  ]) {
    it(`writes ${text}`, () => assert.equal(formatAmount(cents), text))
  }
})

describe('currencyOf', () => {
  it('knows signs and codes', () => {
    assert.deepEqual(['€ 1', '1 USD', '£2', '3'].map(currencyOf), ['EUR', 'USD', 'GBP', null])
  })
})
