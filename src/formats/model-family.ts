/** Which rules a provider applies to a model, from the same table as the prices. */
export { type ModelFamily, modelFamily } from '../core/schedule/models/model-family.ts'
export type { FamilyTrait } from '../core/schedule/models/model-row.ts'
