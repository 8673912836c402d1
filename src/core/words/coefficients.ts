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

/** What recordings add to the rules, in log odds, by the terms of `features.ts`. */
export interface NeedModel {
  readonly intercept: number
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>
}

/** What was learnt from recordings, as `npm run train:retention` writes it. */
export interface Coefficients {
  /** Of file text. */
  readonly anchor: NeedModel
  readonly name: NeedModel
  /** Of all other results. */
  readonly otherName: NeedModel
}
