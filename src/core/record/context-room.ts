import type { ItemSizes } from './item-sizes.ts'

/** A low estimate, so that contexts are more likely to fit. */
export const charactersPerToken = 3.3
/** Approximate size of system prompt and tools, which the record does not contain. */
const prefixTokens = 18_000
/** Above this share of the limit, the response may not fit. */
const fullShare = 0.92
/** The share of the limit used after making room, low enough that the next request need not make room again. */
const roomyShare = 0.75

/** How many characters must be removed so that request and response fit; 0 when they fit or the limit is unknown. */
export function charactersToFree(sizes: ItemSizes, contextLimit: number | null): number {
  if (contextLimit === null) return 0
  const shown = sizes.shownBefore(sizes.length)
  const room = (share: number): number =>
    Math.max(0, contextLimit * share - Math.min(prefixTokens, contextLimit / 4)) *
    charactersPerToken
  return shown <= room(fullShare) ? 0 : Math.ceil(shown - room(roomyShare))
}
