import type { FeatureName } from '../../words/coefficients.ts'
import { leastCheckedChars } from './age-checks.ts'

/** The features of a result from which the probability of a later need is predicted. */
export interface NeedFeatures extends SeenFeatures {
  /** How many of the names that it declares appeared in later messages and calls. */
  readonly namesSince: number
}

/** The features that need no search for names. */
export interface SeenFeatures {
  /** True for file text; false for the output of a program, a search or a web page. */
  readonly isFileText: boolean
  /** A command printed it, and not lines of a file that are known (`cat`, `sed -n`). */
  readonly isShell: boolean
  /** How many requests have shown it. */
  readonly age: number
  /** The request that showed it first, from 1. */
  readonly arrivedAt: number
  /** Only some lines of the file were asked for. */
  readonly isPartial: boolean
  readonly isTest: boolean
  readonly isDocument: boolean
  /** Successful changes of its file since it was shown, and of any file. */
  readonly editsSince: number
  readonly sessionEditsSince: number
  /** Changes of other files in the same folder since. */
  readonly nearEditsSince: number
  /** Reads of its file since. */
  readonly readsSince: number
  /** How often the user has named its file, for example in a plan. */
  readonly userSaid: number
  /** How often the agent has named it since. */
  readonly agentSaidSince: number
  /** How many user messages followed. */
  readonly userSince: number
  /** Its characters. */
  readonly chars: number
}

/** A term of the model: its value, and the reason to give when it lowers the probability. */
interface Term {
  readonly reason: string
  valueOf(features: NeedFeatures): number
}

/** In the order in which they are summed. */
const terms: Readonly<Record<FeatureName, Term>> = {
  age: { reason: 'many requests have shown it', valueOf: ({ age }) => Math.log1p(age) },
  arrived: {
    reason: 'the session had gone on for long when it came',
    valueOf: ({ arrivedAt }) => Math.log1p(arrivedAt),
  },
  shell: { reason: 'printed by a command', valueOf: ({ isShell }) => Number(isShell) },
  partial: { reason: 'only a part of the file', valueOf: ({ isPartial }) => Number(isPartial) },
  test: { reason: 'a test', valueOf: ({ isTest }) => Number(isTest) },
  document: { reason: 'a document', valueOf: ({ isDocument }) => Number(isDocument) },
  planned: {
    reason: 'the user named its file',
    valueOf: (features) => Number(isPlanned(features)),
  },
  edited: {
    reason: 'its file was edited since',
    valueOf: ({ editsSince }) => Number(editsSince > 0),
  },
  editsElsewhere: {
    reason: 'other files were edited since',
    valueOf: ({ sessionEditsSince }) => Math.log1p(sessionEditsSince),
  },
  editsNear: {
    reason: 'files in its folder were edited since',
    valueOf: ({ nearEditsSince }) => Math.log1p(nearEditsSince),
  },
  readAgain: {
    reason: 'its file was read again',
    valueOf: ({ readsSince }) => Number(readsSince > 0),
  },
  agentSaid: {
    reason: 'the agent spoke of its file since',
    valueOf: ({ agentSaidSince }) => Math.log1p(agentSaidSince),
  },
  names: {
    reason: 'names that it declares came up since',
    valueOf: ({ namesSince }) => Math.log1p(namesSince),
  },
  userSpoke: {
    reason: 'the user has spoken since',
    valueOf: ({ userSince }) => Math.log1p(userSince),
  },
  size: {
    reason: 'its size',
    // 0 for the smallest results that are checked.
    valueOf: ({ chars }) => Math.log(Math.max(chars, leastCheckedChars) / leastCheckedChars),
  },
}

export const featureNames: readonly FeatureName[] = Object.keys(terms) as FeatureName[]

/** The user named the file, and nobody has changed it since it was shown. */
export function isPlanned({ userSaid, editsSince }: SeenFeatures): boolean {
  return userSaid > 0 && editsSince === 0
}

/** The values of the terms, in the order of `featureNames`. */
export function valuesOf(features: NeedFeatures): readonly number[] {
  return Object.values(terms).map((term) => term.valueOf(features))
}

export function reasonFor(name: FeatureName): string {
  return terms[name].reason
}
