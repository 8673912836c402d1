// Money is kept as whole cents: sums of fractions drift, sums of integers do not.

const signs = { '€': 'EUR', $: 'USD', '£': 'GBP' }

/**
 * An amount as people write it, in cents. null when it is not an amount.
 *
 *     parseAmount('1,250.00')  // 125000
 *     parseAmount('(3.20)')    // -320
 *
 * @param {string} text
 * @returns {number | null}
 */
export function parseAmount(text) {
  const bare = stripCurrency(text.trim())
  const inParentheses = /^\((.*)\)$/.exec(bare)
  const written = (inParentheses?.[1] ?? bare).trim()
  const match = /^([+-])?(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/.exec(written)
  if (match === null) return null
  const [, sign, whole, fraction = ''] = match
  const units = Number(`${sign ?? ''}${whole.replaceAll(',', '')}`)
  const cents = Number(fraction.padEnd(2, '0'))
  const amount = units < 0 ? units * 100 - cents : units * 100 + cents
  return inParentheses === null ? amount : -amount
}

/**
 * Cents as text with two decimals and grouped thousands.
 *
 * @param {number} cents
 */
export function formatAmount(cents) {
  const absolute = Math.abs(cents)
  const whole = String(Math.trunc(absolute / 100)).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = String(absolute % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}${whole}.${fraction}`
}

/**
 * The currency that an amount is written in, or null when it does not say.
 *
 * @param {string} text
 */
export function currencyOf(text) {
  const sign = /[€$£]/.exec(text)
  if (sign !== null) return signs[sign[0]]
  return /\b(EUR|USD|GBP)\b/.exec(text)?.[1] ?? null
}

function stripCurrency(text) {
  return text
    .replace(/[€$£]/, '')
    .replace(/\b(EUR|USD|GBP)\b/, '')
    .trim()
}
