/**
 * How much a piece of output is worth to the agent that reads it. Pieces of the highest worth are taken first, until the
 * digest is full; `must` pieces may exceed the limit.
 */
export const worth = {
  must: 6,
  /** Explains a failure, or names what the conversation is about. */
  informative: 5,
  /** The beginning, the end, and the start of a section. */
  frame: 4,
  /** Names something new that a later call may copy. */
  naming: 3,
  plain: 2,
  little: 1,
  /** Progress, passed tests, repetitions: only their count matters. */
  noise: 0,
} as const

export type Worth = (typeof worth)[keyof typeof worth]

export const mostWorth: Worth = worth.must

/**
 * A worth that depends on whether a line contains names. Finding names is slow, so it is decided only while there is room
 * for the line. Neither value is `noise`.
 */
export interface WorthByNames {
  readonly named: Worth
  readonly nameless: Worth
}

/** One or more lines of an output, as the digest would show them. */
export interface Piece {
  readonly text: string
  /** The lines of the original that it shows, from 0, including the last. */
  readonly first: number
  readonly last: number
  readonly worth: Worth | WorthByNames
}
