/** Palimpsest's engine: the record of a session, what replaces what in it, and how it is then shown. */
export { createUnderstanding, type UnderstandingOptions } from './actions/understand.ts'
export type { Config, ConfigFile, PresetName } from './config/config.ts'
export { createEngine, type EngineOptions } from './config/create-engine.ts'
export { resolveSettings } from './config/resolve.ts'
export type { Engine, EngineRequest } from './core/engine.ts'
export type { FileState, FileTracker } from './core/files/index.ts'
export type { Anchor } from './core/record/branches.ts'
export { type Calibration, calibrationFrom, createCalibration } from './core/record/calibration.ts'
export {
  type Appended,
  createRecord,
  type RecordOptions,
  type RecordWork,
  type SessionRecord,
} from './core/record/record.ts'
export type { Relation } from './core/record/relation.ts'
export { estimateTokens } from './core/record/tokens.ts'
export { createLedger } from './core/session/ledger.ts'
export type { ProjectedChange } from './core/session/project.ts'
export type * from './core/words/action.ts'
export type * from './core/words/decision.ts'
export { type ErrorCode, PalimpsestError } from './core/words/errors.ts'
export type * from './core/words/item.ts'
export type { Ledger, LedgerEntry } from './core/words/ledger.ts'
export type { Operation, Understanding } from './core/words/operation.ts'
export type * from './core/words/reading.ts'
export type { RequestMoment } from './core/words/request-moment.ts'
export type { FilePolicy, Schedule, Settings } from './core/words/settings.ts'
export { fileStateAt, generateChangelog, type SessionHistory } from './replay/session-history.ts'
export { replacedBy, replacementOf } from './report/chains.ts'
