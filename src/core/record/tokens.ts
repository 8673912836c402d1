/**
 * Splits a text about where tokenizers do: words with the character before them, groups of three digits, runs of
 * punctuation, white space, and each Chinese, Japanese or Korean character by itself.
 */
const pieces =
  /[^\r\n\p{L}\p{N}]?(?:[A-Z]?[a-z]+(?:'(?:[stmd]|re|ve|ll)\b)?|[A-Z]+(?![a-z])|[A-Z])|\d{1,3}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\r\n\p{L}\p{N}]?[^\P{L}A-Za-z\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\s*[\r\n]+|\s+(?!\S)|\s+| ?[^\s\p{L}\p{N}]+|./gsu

const letter = /\p{L}/u

/**
 * Estimates how many tokens a model counts for a text: 0 for the empty string, otherwise an integer of at least 1. It is
 * within about 15 % of o200k for code, prose, logs and JSON. Models differ; `createCalibration` corrects the estimate for
 * each of them.
 *
 * ```ts
 * estimateTokens('The quick brown fox.') // 5
 * ```
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) tokens += tokensOf(piece)
  return Math.max(1, Math.round(tokens))
}

/** The weights were fitted against o200k on source code, prose, logs and recorded sessions. */
function tokensOf(piece: string): number {
  const { length } = piece
  const last = piece.charCodeAt(length - 1)
  if (last >= 0x61 && last <= 0x7a) return 1 + 0.18 * Math.max(0, length - 6.5)
  if (last >= 0x41 && last <= 0x5a) return 1 + 0.17 * Math.max(0, length - 5.7)
  if (last >= 0x30 && last <= 0x39) return 1
  if (last <= 0x20) return 0.57 + (length >> 6)
  if (last < 0x80) return 1 + 0.34 * (length - 1)
  if (last >= 0x3040 && last < 0xd800) return 0.64
  if (last >= 0xd800 && last < 0xe000) return 0.75 * length
  return letter.test(piece) ? 0.37 + 0.2 * length : 1.6 * length
}
