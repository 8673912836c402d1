import type { FeatureName } from '../../words/coefficients.ts'

/** What is known of a result when it is asked whether it will be needed again; all of it is counted, nothing guessed. */
export interface NeedFeatures {
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
  /** How many of the names that it declares came up since, in what was said or called. */
  readonly namesSince: number
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
export function isPlanned({ userSaid, editsSince }: NeedFeatures): boolean {
  return userSaid > 0 && editsSince === 0
}

/** The values of the terms, in the order of `featureNames`. */
export function valuesOf(features: NeedFeatures): readonly number[] {
  return [
    Math.log1p(features.age),
    flag(features.isPartial),
    flag(features.isTest),
    flag(features.isDocument),
    flag(isPlanned(features)),
    flag(features.editsSince > 0),
    Math.log1p(features.sessionEditsSince),
    flag(features.readsSince > 0),
    Math.log1p(features.agentSaidSince),
    Math.log1p(features.namesSince),
    Math.log1p(features.userSince),
  ]
}

function flag(value: boolean): number {
  return value ? 1 : 0
}

export function wordsFor(name: FeatureName): string {
  return terms[name]
}
