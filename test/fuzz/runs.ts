import { runsOf } from '../soak.ts'

/** How many random cases are tried; `npm run soak -- fuzz` tries a hundred times as many. */
export const fuzzRuns: number = runsOf({ short: 1, long: 100 })
