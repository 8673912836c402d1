/** Which rules a provider applies to a model. The table is the one that prices come from. */
export { type ModelFamily, modelFamily } from '../core/schedule/models/model-family.ts'
export type { FamilyTrait } from '../core/schedule/models/model-row.ts'
