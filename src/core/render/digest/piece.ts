/**
 * How much a piece of output is worth to the agent that reads it. What is worth most is taken first, until the digest
 * is full; `must` is taken whatever it costs.
 */
export const worth = {
  must: 6,
  /** Explains a failure, or names what the conversation is about. */
  telling: 5,
  /** The beginning, the end, and what opens a section. */
  frame: 4,
  /** Names something new that a later call may copy. */
  naming: 3,
  plain: 2,
  little: 1,
  /** Progress, passes, repetition: only its count is of interest. */
  noise: 0,
} as const

export type Worth = (typeof worth)[keyof typeof worth]

export const mostWorth: Worth = worth.must

/**
 * What lines are worth by what they name. To find that out is dear, so it is asked only while there is room for what
 * they might be worth. No line of these is noise.
 */
export interface WorthByNames {
  /** Where they name anything, */
  readonly named: Worth
  /** and where they name nothing. */
  readonly nameless: Worth
}

/** One or more lines of an output, as the digest would show them. */
export interface Piece {
  readonly text: string
  /** The lines of the original that it stands for, from 0, the last one included. */
  readonly first: number
  readonly last: number
  readonly worth: Worth | WorthByNames
}
