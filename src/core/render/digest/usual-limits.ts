import type { DigestKind, DigestLimits } from './digest-types.ts'

interface KindLimits {
  readonly leastChars: number
  readonly targetChars: number
  /** The share of the text that is added to the target, because a larger output has more of interest. */
  readonly share: number
}

/**
 * The limits per kind. File text is hardly cut, because agents edit from it; prose and lists of paths are cut late, and
 * test runs and confirmations of edits early.
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

/** Texts up to this length are never cut at scale 1. */
export const leastOfAll: number = Math.min(
  ...Object.values(limitsByKind).map(({ leastChars }) => leastChars),
)

export interface UsualLimitOptions {
  /** How to restore the original. */
  readonly recall: string
  /** A factor for all limits; 1 by default. */
  readonly scale?: number
}

/** The limits for a result of this kind and length. */
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
