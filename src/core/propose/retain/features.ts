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
  /** Requests since its file was last read or changed. */
  readonly quiet: number
  /** How often the user has named its file, for example in a plan. */
  readonly userSaid: number
  /** How often the agent has named it since. */
  readonly agentSaidSince: number
  /** How many user messages followed. */
  readonly userSince: number
  /** Its characters. */
  readonly chars: number
}

export function withNames(seen: SeenFeatures, namesSince: number): NeedFeatures {
  return { ...seen, namesSince }
}

const nothingSeen: SeenFeatures = {
  isFileText: false,
  isShell: false,
  age: 0,
  arrivedAt: 0,
  isPartial: false,
  isTest: false,
  isDocument: false,
  editsSince: 0,
  sessionEditsSince: 0,
  nearEditsSince: 0,
  readsSince: 0,
  quiet: 0,
  userSaid: 0,
  agentSaidSince: 0,
  userSince: 0,
  chars: 0,
}

/** Empty features, to be filled in. */
export function createFeatures(): { -readonly [Name in keyof SeenFeatures]: SeenFeatures[Name] } {
  return { ...nothingSeen }
}

/** The terms of the model in the order in which they are summed, each with the reason to give when it lowers the probability. */
const terms: Readonly<Record<FeatureName, string>> = {
  age: 'many requests have shown it',
  arrived: 'the session had gone on for long when it came',
  shell: 'printed by a command',
  partial: 'only a part of the file',
  test: 'a test',
  document: 'a document',
  planned: 'the user named its file',
  edited: 'its file was edited since',
  editsElsewhere: 'other files were edited since',
  editsNear: 'files in its folder were edited since',
  readAgain: 'its file was read again',
  agentSaid: 'the agent spoke of its file since',
  names: 'names that it declares came up since',
  userSpoke: 'the user has spoken since',
  size: 'its size',
}

export const featureNames: readonly FeatureName[] = Object.keys(terms) as FeatureName[]

/** The user named the file, and nobody has changed it since it was shown. */
export function isPlanned({ userSaid, editsSince }: SeenFeatures): boolean {
  return userSaid > 0 && editsSince === 0
}

/** The values of the terms, in the order of `featureNames`. */
export function valuesOf(features: NeedFeatures): readonly number[] {
  return [
    logOf(features.age),
    logOf(features.arrivedAt),
    flag(features.isShell),
    flag(features.isPartial),
    flag(features.isTest),
    flag(features.isDocument),
    flag(isPlanned(features)),
    flag(features.editsSince > 0),
    logOf(features.sessionEditsSince),
    logOf(features.nearEditsSince),
    flag(features.readsSince > 0),
    logOf(features.agentSaidSince),
    logOf(features.namesSince),
    logOf(features.userSince),
    sizeOf(features),
  ]
}

export function logOf(count: number): number {
  return Math.log1p(count)
}

/** 0 for the smallest results that are checked. */
export function sizeOf({ chars }: Pick<SeenFeatures, 'chars'>): number {
  return Math.log(Math.max(chars, leastCheckedChars) / leastCheckedChars)
}

function flag(value: boolean): number {
  return value ? 1 : 0
}

export function reasonFor(name: FeatureName): string {
  return terms[name]
}
