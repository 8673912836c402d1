import type { FeatureName } from '../../words/coefficients.ts'

/** What is known of a result when it is asked whether it will be needed again; all of it is counted, nothing guessed. */
export interface NeedFeatures extends SeenFeatures {
  /** How many of the names that it declares came up since, in what was said or called. */
  readonly namesSince: number
}

/** What is known without looking for names. */
export interface SeenFeatures {
  /** File text that a tool or a command printed; else what a program, a search or a page said. */
  readonly isFileText: boolean
  readonly isShell: boolean
  /** How many requests have shown it. */
  readonly age: number
  /** Only some lines of the file were asked for. */
  readonly isPartial: boolean
  readonly isTest: boolean
  readonly isDocument: boolean
  /** Successful changes of its file since it was shown, and of any file. */
  readonly editsSince: number
  readonly sessionEditsSince: number
  /** Reads of its file since. */
  readonly readsSince: number
  /** Requests since its file was last read or changed. */
  readonly quiet: number
  /** How often the user has said the name of its file, in a plan for example. */
  readonly userSaid: number
  /** How often the agent has said it since. */
  readonly agentSaidSince: number
  /** How many times the user has spoken since. */
  readonly userSince: number
}

/**
 * What was seen with the names that came up. Spelled out, as all features are made: a spread gives each copy a shape of its
 * own, and whatever reads objects of many shapes is slow for all of them.
 */
export function withNames(seen: SeenFeatures, namesSince: number): NeedFeatures {
  return {
    isFileText: seen.isFileText,
    isShell: seen.isShell,
    age: seen.age,
    isPartial: seen.isPartial,
    isTest: seen.isTest,
    isDocument: seen.isDocument,
    editsSince: seen.editsSince,
    sessionEditsSince: seen.sessionEditsSince,
    readsSince: seen.readsSince,
    quiet: seen.quiet,
    userSaid: seen.userSaid,
    agentSaidSince: seen.agentSaidSince,
    userSince: seen.userSince,
    namesSince,
  }
}

const nothingSeen: SeenFeatures = {
  isFileText: false,
  isShell: false,
  age: 0,
  isPartial: false,
  isTest: false,
  isDocument: false,
  editsSince: 0,
  sessionEditsSince: 0,
  readsSince: 0,
  quiet: 0,
  userSaid: 0,
  agentSaidSince: 0,
  userSince: 0,
}

/** Of a result that nothing has happened to yet, to be filled in. */
export function createFeatures(): { -readonly [Name in keyof SeenFeatures]: SeenFeatures[Name] } {
  return withNames(nothingSeen, 0)
}

/** In the order in which they are summed, with how each is told when it speaks against a need. */
const terms: Readonly<Record<FeatureName, string>> = {
  age: 'many requests have shown it',
  partial: 'only a part of the file',
  test: 'a test',
  document: 'a document',
  planned: 'the user named its file',
  edited: 'its file was edited since',
  editsElsewhere: 'other files were edited since',
  readAgain: 'its file was read again',
  agentSaid: 'the agent spoke of its file since',
  names: 'names that it declares came up since',
  userSpoke: 'the user has spoken since',
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
    flag(features.isPartial),
    flag(features.isTest),
    flag(features.isDocument),
    flag(isPlanned(features)),
    flag(features.editsSince > 0),
    logOf(features.sessionEditsSince),
    flag(features.readsSince > 0),
    logOf(features.agentSaidSince),
    logOf(features.namesSince),
    logOf(features.userSince),
  ]
}

/** Most counts are small, and asked for again and again. */
const logs: readonly number[] = Array.from({ length: 256 }, (_, count) => Math.log1p(count))

export function logOf(count: number): number {
  return logs[count] ?? Math.log1p(count)
}

function flag(value: boolean): number {
  return value ? 1 : 0
}

export function wordsFor(name: FeatureName): string {
  return terms[name]
}
