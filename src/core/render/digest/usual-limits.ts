import type { DigestKind, DigestLimits } from './source.ts'

interface KindLimits {
  readonly leastChars: number
  readonly targetChars: number
  /** So much of the text comes on top: a larger output has more that is worth telling. */
  readonly share: number
}

/**
 * What each kind of output can be cut to before agents miss it: file text hardly at all, prose and lists of paths late,
 * test runs and echoes of an agent's own edits early.
 */
const limitsByKind: Readonly<Record<DigestKind, KindLimits>> = {
  search: { leastChars: 1600, targetChars: 950, share: 0.04 },
  listing: { leastChars: 4000, targetChars: 3000, share: 0.05 },
  tests: { leastChars: 800, targetChars: 550, share: 0.02 },
  diagnostics: { leastChars: 1400, targetChars: 1000, share: 0.02 },
  packages: { leastChars: 600, targetChars: 400, share: 0.02 },
  diff: { leastChars: 3000, targetChars: 2200, share: 0.02 },
  history: { leastChars: 2000, targetChars: 1500, share: 0.02 },
  log: { leastChars: 1800, targetChars: 1300, share: 0.02 },
  html: { leastChars: 1800, targetChars: 1300, share: 0.02 },
  json: { leastChars: 2600, targetChars: 2000, share: 0.05 },
  table: { leastChars: 1600, targetChars: 1000, share: 0.02 },
  trace: { leastChars: 1400, targetChars: 1000, share: 0.02 },
  echo: { leastChars: 900, targetChars: 500, share: 0 },
  file: { leastChars: 60_000, targetChars: 36_000, share: 0.1 },
  report: { leastChars: 8000, targetChars: 5000, share: 0.1 },
  poll: { leastChars: 80, targetChars: 80, share: 0 },
  repeat: { leastChars: 400, targetChars: 300, share: 0 },
  plain: { leastChars: 2200, targetChars: 1600, share: 0.04 },
}

/** No kind cuts what is this short, at the usual scale. */
export const leastOfAll: number = Math.min(
  ...Object.values(limitsByKind).map(({ leastChars }) => leastChars),
)

export interface UsualLimitOptions {
  /** How the original is got back. */
  readonly recall: string
  /** More than 1 cuts less and later, less than 1 more and sooner; 1 unless told. */
  readonly scale?: number
}

/** The limits that suit a result of this kind and length. */
export function usualLimits(
  kind: DigestKind,
  chars: number,
  { recall, scale = 1 }: UsualLimitOptions,
): DigestLimits {
  const { leastChars, targetChars, share } = limitsByKind[kind]
  return {
    leastChars: Math.floor(leastChars * scale),
    targetChars: Math.floor((targetChars + chars * share) * scale),
    recall,
  }
}
