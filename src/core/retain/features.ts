/** What is known of a result when it is asked whether it will be needed again; all of it is counted, nothing guessed. */
export interface NeedFeatures {
  /** File text that a tool or a command printed; else what a program, a search or a page said. */
  readonly isFileText: boolean
  readonly isShell: boolean
  readonly isSearch: boolean
  /** How many requests have shown it. */
  readonly age: number
  readonly size: number
  /** Only some lines of the file were asked for. */
  readonly isPartial: boolean
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly isConfiguration: boolean
  /** How many files it shows. */
  readonly files: number
  /** Successful changes of its file before it was shown, and since. */
  readonly editsBefore: number
  readonly editsSince: number
  /** Reads of its file before, and since. */
  readonly readsBefore: number
  readonly readsSince: number
  /** Requests since the file was last read, changed or named in a call. */
  readonly quiet: number
  /** Changes of any file in the session, since it was shown, and in the folder of its file. */
  readonly sessionEdits: number
  readonly sessionEditsSince: number
  readonly folderEdits: number
  /** Changes in the last requests. */
  readonly recentEdits: number
  /** Nothing had been changed when it was shown: the agent was looking around. */
  readonly isExplored: boolean
  /** Of the other files that were read with it, how many were changed since, from 0 to 1. */
  readonly cohortEdited: number
  /** How often the user said the name of its file, in a plan for example. */
  readonly userSaid: number
  /** How often the agent said it, before it was shown and since. */
  readonly agentSaidBefore: number
  readonly agentSaidSince: number
  /** How often calls named the file in another way than as what they read or change. */
  readonly calledSince: number
  /** How many of the names that it declares came up since. */
  readonly namesSince: number
  /** How many times the user has spoken since. */
  readonly userSince: number
  /** The request that is being prepared, from 1. */
  readonly turn: number
}

const log = Math.log1p
const flag = (value: boolean): number => (value ? 1 : 0)

/** The terms of the linear model. */
export type FeatureName =
  | 'shell'
  | 'search'
  | 'age'
  | 'size'
  | 'partial'
  | 'test'
  | 'document'
  | 'configuration'
  | 'files'
  | 'wasEdited'
  | 'editsBefore'
  | 'isEdited'
  | 'editsSince'
  | 'wasRead'
  | 'isReread'
  | 'readsSince'
  | 'quiet'
  | 'noEdits'
  | 'sessionEdits'
  | 'sessionEditsSince'
  | 'folderEdits'
  | 'recentEdits'
  | 'explored'
  | 'cohortEdited'
  | 'isPlanned'
  | 'userSaid'
  | 'agentPlanned'
  | 'agentSaidBefore'
  | 'agentSaidSince'
  | 'calledSince'
  | 'namesSince'
  | 'userSince'
  | 'turn'

interface Term {
  /** How it is told when it speaks against a need. */
  readonly words: string
  value(features: NeedFeatures): number
}

const terms: Readonly<Record<FeatureName, Term>> = {
  shell: { words: 'printed by a command', value: (f) => flag(f.isShell) },
  search: { words: 'a search', value: (f) => flag(f.isSearch) },
  age: { words: 'shown for many requests', value: (f) => log(f.age) },
  size: { words: 'large', value: (f) => log(f.size) },
  partial: { words: 'only a part of the file', value: (f) => flag(f.isPartial) },
  test: { words: 'a test', value: (f) => flag(f.isTest) },
  document: { words: 'a document', value: (f) => flag(f.isDocument) },
  configuration: { words: 'a configuration file', value: (f) => flag(f.isConfiguration) },
  files: { words: 'shows several files', value: (f) => log(Math.max(0, f.files - 1)) },
  wasEdited: { words: 'its file was edited before', value: (f) => flag(f.editsBefore > 0) },
  editsBefore: { words: 'its file was edited often before', value: (f) => log(f.editsBefore) },
  isEdited: { words: 'its file was edited since', value: (f) => flag(f.editsSince > 0) },
  editsSince: { words: 'its file was edited often since', value: (f) => log(f.editsSince) },
  wasRead: { words: 'its file was read before', value: (f) => flag(f.readsBefore > 0) },
  isReread: { words: 'its file was read again', value: (f) => flag(f.readsSince > 0) },
  readsSince: { words: 'its file was read often since', value: (f) => log(f.readsSince) },
  quiet: { words: 'its file has rested', value: (f) => log(f.quiet) },
  noEdits: { words: 'nothing was edited so far', value: (f) => flag(f.sessionEdits === 0) },
  sessionEdits: { words: 'much was edited so far', value: (f) => log(f.sessionEdits) },
  sessionEditsSince: { words: 'much was edited since', value: (f) => log(f.sessionEditsSince) },
  folderEdits: { words: 'its folder is worked on', value: (f) => log(f.folderEdits) },
  recentEdits: { words: 'edits are being made', value: (f) => log(f.recentEdits) },
  explored: { words: 'read before anything was edited', value: (f) => flag(f.isExplored) },
  cohortEdited: { words: 'what was read with it was edited', value: (f) => f.cohortEdited },
  isPlanned: {
    words: 'the user named it and it is not edited yet',
    value: (f) => flag(f.userSaid > 0 && f.editsSince === 0),
  },
  userSaid: { words: 'the user named it', value: (f) => flag(f.userSaid > 0) },
  agentPlanned: {
    words: 'the agent named it and it is not edited yet',
    value: (f) => flag(f.agentSaidBefore + f.agentSaidSince > 0 && f.editsSince === 0),
  },
  agentSaidBefore: { words: 'the agent had named it', value: (f) => log(f.agentSaidBefore) },
  agentSaidSince: { words: 'the agent named it since', value: (f) => log(f.agentSaidSince) },
  calledSince: { words: 'calls named it since', value: (f) => log(f.calledSince) },
  namesSince: { words: 'names that it declares came up', value: (f) => log(f.namesSince) },
  userSince: { words: 'the user has spoken since', value: (f) => log(f.userSince) },
  turn: { words: 'late in the session', value: (f) => log(f.turn) },
}

export const featureNames: readonly FeatureName[] = Object.keys(terms) as FeatureName[]

/** The values of the terms, in the order of `featureNames`. */
export function valuesOf(features: NeedFeatures): readonly number[] {
  return featureNames.map((name) => terms[name].value(features))
}

export function wordsFor(name: FeatureName): string {
  return terms[name].words
}
