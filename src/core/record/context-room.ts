import type { Page } from './page.ts'

/** Text of agents has more characters a token; this errs on the side of room. */
export const charactersPerToken = 3.3
/** What system prompt and tools take, about; a record does not hold them. */
const prefixTokens = 18_000
/** From this share of the limit on, the answer may not fit. */
const fullShare = 0.92
/** So much of the limit is used after room was made, so that it is not made again at every request. */
const roomyShare = 0.75

/** How many characters have to leave the page before a request fits with its answer; 0 when it does, or nobody knows. */
export function charactersToFree(page: Page, contextLimit: number | null): number {
  if (contextLimit === null) return 0
  const shown = page.shownBefore(page.length)
  const room = (share: number): number =>
    Math.max(0, contextLimit * share - Math.min(prefixTokens, contextLimit / 4)) *
    charactersPerToken
  return shown <= room(fullShare) ? 0 : Math.ceil(shown - room(roomyShare))
}
