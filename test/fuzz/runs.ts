import { runsOf } from '../soak.ts'

/** How many random cases are tried; `npm run soak -- fuzz` tries 350 times as many. */
export const fuzzRuns: number = runsOf({ short: 1, long: 350 })
