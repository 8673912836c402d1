/** Palimpsest's engine: the record of a session, and what is known of it. */

export { type ErrorCode, PalimpsestError } from './core/errors.ts'
export type * from './core/record/action.ts'
export type { Anchor } from './core/record/branches.ts'
export { type Calibration, calibrationFrom, createCalibration } from './core/record/calibration.ts'
export type * from './core/record/item.ts'
export {
  type Appended,
  createRecord,
  type RecordOptions,
  type RecordWork,
  type SessionRecord,
} from './core/record/record.ts'
export type { Relation } from './core/record/relation.ts'
export { estimateTokens } from './core/record/tokens.ts'
