/** How many random sessions each property is tried on. */
export const runs = {
  kept: 1_600,
  same: 600,
  views: 600,
  takenBack: 300,
  again: 1_000,
  /** In each of the four formats. */
  wire: 400,
  costlier: 400,
  appended: 400,
  parts: 600,
  pointers: 150,
} as const

export const wireFormats = 4
