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
  /** How many of the names that it declares came up since, in what was said or called. */
  readonly namesSince: number
  /** How many times the user has spoken since. */
  readonly userSince: number
}

/** The terms that are weighed beyond the rules; few of them, because few repositories teach their weights. */
export type FeatureName =
  | 'age'
  | 'partial'
  | 'test'
  | 'document'
  | 'planned'
  | 'edited'
  | 'editsElsewhere'
  | 'readAgain'
  | 'agentSaid'
  | 'names'
  | 'userSpoke'

interface Term {
  /** How it is told when it speaks against a need. */
  readonly words: string
  value(features: NeedFeatures): number
}

const log = Math.log1p
const flag = (value: boolean): number => (value ? 1 : 0)

const terms: Readonly<Record<FeatureName, Term>> = {
  age: { words: 'many requests have shown it', value: ({ age }) => log(age) },
  partial: { words: 'only a part of the file', value: ({ isPartial }) => flag(isPartial) },
  test: { words: 'a test', value: ({ isTest }) => flag(isTest) },
  document: { words: 'a document', value: ({ isDocument }) => flag(isDocument) },
  planned: { words: 'the user named its file', value: (features) => flag(isPlanned(features)) },
  edited: {
    words: 'its file was edited since',
    value: ({ editsSince }) => flag(editsSince > 0),
  },
  editsElsewhere: {
    words: 'other files were edited since',
    value: ({ sessionEditsSince }) => log(sessionEditsSince),
  },
  readAgain: {
    words: 'its file was read again',
    value: ({ readsSince }) => flag(readsSince > 0),
  },
  agentSaid: {
    words: 'the agent spoke of its file since',
    value: ({ agentSaidSince }) => log(agentSaidSince),
  },
  names: {
    words: 'names that it declares came up since',
    value: ({ namesSince }) => log(namesSince),
  },
  userSpoke: { words: 'the user has spoken since', value: ({ userSince }) => log(userSince) },
}

export const featureNames: readonly FeatureName[] = Object.keys(terms) as FeatureName[]

const termList: readonly Term[] = featureNames.map((name) => terms[name])

/** The user named the file, and nobody has changed it since it was shown. */
export function isPlanned({ userSaid, editsSince }: NeedFeatures): boolean {
  return userSaid > 0 && editsSince === 0
}

/** The values of the terms, in the order of `featureNames`. */
export function valuesOf(features: NeedFeatures): readonly number[] {
  return termList.map(({ value }) => value(features))
}

export function wordsFor(name: FeatureName): string {
  return terms[name].words
}
