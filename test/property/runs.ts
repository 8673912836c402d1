import { isShortRun } from '../e2e/installed-client.ts'

interface Runs {
  readonly kept: number
  readonly same: number
  readonly views: number
  readonly takenBack: number
  readonly again: number
  /** In each of the four formats. */
  readonly wire: number
  readonly costlier: number
  readonly appended: number
  readonly parts: number
  /** In each of the five rhythms. */
  readonly pointers: number
}

const long: Runs = {
  kept: 1_600,
  same: 600,
  views: 600,
  takenBack: 300,
  again: 1_000,
  wire: 400,
  costlier: 400,
  appended: 400,
  parts: 600,
  pointers: 150,
}

/** The first of the same sessions. */
const short: Runs = {
  kept: 800,
  same: 350,
  views: 350,
  takenBack: 200,
  again: 500,
  wire: 300,
  costlier: 300,
  appended: 250,
  parts: 600,
  pointers: 110,
}

/** How many random sessions each property is tried on. */
export const runs: Runs = isShortRun ? short : long

export const wireFormats = 4
export const pointerRhythms = 5
