/** Why a reader needs a line. `used`: a recorded session used a name of it later. */
export const decisiveKinds = [
  'failure',
  'warning',
  'change',
  'summary',
  'exit',
  'exception',
  'asked',
  'used',
] as const

export type DecisiveKind = (typeof decisiveKinds)[number]

/** A line whose loss would make the reader run the command again. */
export interface Decisive {
  /** Line of the text, from 0. */
  readonly line: number
  readonly kind: DecisiveKind
  /** Words that say the same in another layout, when all of them are on one line. */
  readonly facts?: readonly string[]
  /** One of many lines of one shape, for which examples with a count may be enough. */
  readonly mass?: true
}

/** The output of one command, with its decisive lines marked when it was written. */
export interface DigestCase {
  readonly id: string
  readonly family: string
  readonly program: string
  /** The command line as the agent ran it. */
  readonly command: string
  /** The user's last message. */
  readonly request: string | null
  readonly status: 'completed' | 'error'
  readonly text: string
  readonly decisive: readonly Decisive[]
}

export type Half = 'train' | 'test'
