/** How many random cases are tried; `npm run soak -- fuzz` tries 350 times as many. */
export const fuzzRuns: number = process.env.PALIMPSEST_SOAK === undefined ? 1 : 350
