/** The features of the retention model. There are few, because the training data covers few repositories. */
export type FeatureName =
  | 'age'
  | 'arrived'
  | 'shell'
  | 'partial'
  | 'test'
  | 'document'
  | 'planned'
  | 'edited'
  | 'editsElsewhere'
  | 'editsNear'
  | 'readAgain'
  | 'agentSaid'
  | 'names'
  | 'userSpoke'
  | 'size'

/** Weights in log odds, added to the rules' estimate that an item is needed again. `features.ts` computes the features. */
export interface NeedModel {
  readonly intercept: number
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>
}

/** The trained models, as `npm run train:retention` writes them. */
export interface Coefficients {
  /** For file text. */
  readonly anchor: NeedModel
  readonly name: NeedModel
  /** For all other results. */
  readonly otherName: NeedModel
}
