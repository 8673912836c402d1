/** How many random cases are tried; `npm run soak -- fuzz` tries a hundred times as many. */
export const fuzzRuns: number = process.env.PALIMPSEST_SOAK === undefined ? 1 : 100
