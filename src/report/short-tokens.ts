/**
 * A short number of tokens: one decimal, or none when it would be zero.
 *
 * ```ts
 * shortTokens(83_100) // '83.1K'
 * shortTokens(16_000) // '16K'
 * shortTokens(512)    // '512'
 * ```
 */
export function shortTokens(tokens: number): string {
  const whole = Math.round(tokens)
  const size = Math.abs(whole)
  if (size < 1000) return String(whole)
  return size < 999_950 ? `${oneDecimal(whole / 1000)}K` : `${oneDecimal(whole / 1_000_000)}M`
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}
