/** Palimpsest's engine: the record of a session, what replaces what in it, and how it is then shown. */
export { createUnderstanding, type UnderstandingOptions } from './actions/understand.ts'
export type { Config, ConfigFile, PresetName } from './config/config.ts'
export { type LoadOptions, loadConfig } from './config/load.ts'
export { createProtection } from './config/protection.ts'
export { resolveSettings } from './config/resolve.ts'
export { replacedBy, replacementOf } from './core/chains.ts'
export type * from './core/decision.ts'
export { createEngine, type Engine, type EngineOptions, type EngineRequest } from './core/engine.ts'
export { type ErrorCode, PalimpsestError } from './core/errors.ts'
export type { Protection } from './core/guard/guard.ts'
export { createLedger, type Ledger, type LedgerEntry } from './core/ledger.ts'
export type { ProjectedChange } from './core/project.ts'
export type * from './core/record/action.ts'
export type { Anchor } from './core/record/branches.ts'
export { type Calibration, calibrationFrom, createCalibration } from './core/record/calibration.ts'
export type * from './core/record/item.ts'
export type * from './core/record/reading.ts'
export {
  type Appended,
  createRecord,
  type RecordOptions,
  type RecordWork,
  type SessionRecord,
} from './core/record/record.ts'
export type { Relation } from './core/record/relation.ts'
export { estimateTokens } from './core/record/tokens.ts'
export type { FilePolicy, Schedule, Settings } from './core/settings.ts'
export type { FileState, FileTracker } from './core/track/files/index.ts'
export type { Operation, Understanding } from './core/track/operation.ts'
