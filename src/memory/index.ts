export { contextChanges } from './context/changes.ts'
export { type ContextOptions, memoryContext } from './context/context.ts'
export { ContextExtractor, ConversationManager, type SpokenMessage } from './conversation.ts'
export {
  createModelExtractor,
  type Extractor,
  type ModelExtractorOptions,
} from './extract/model-extractor.ts'
export type { ItemSource, MemoryItem, MemoryKind, Origin, Scope } from './item.ts'
export { keyOfText } from './key-of-text.ts'
export type {
  Decision,
  Lifespan,
  NewDecision,
  NewUserFact,
  NewUserPreference,
  UserFact,
  UserPreference,
} from './local-memory-items.ts'
export {
  type CurrentContext,
  LocalMemoryStore,
  type LocalMemoryStoreOptions,
} from './local-memory-store.ts'
export { createInMemoryLog, type MemoryLog } from './log/memory-log.ts'
export { openPostgresLog } from './log/postgres-log.ts'
export { openSqliteLog } from './log/sqlite-log.ts'
export { Memory, type MemoryOptions, type NewItem } from './memory.ts'
export { type Change, type Message, type Observation, observe, type Place } from './observe.ts'
export { type ObserveWithOptions, observeWith } from './observe-with-model.ts'
export { findPatterns, type Patterns, type UnstableKey } from './patterns.ts'
export { type SearchHit, type SearchOptions, searchMemory } from './search/search.ts'
export { type AsOf, itemsAsOf, type Status, statusAt } from './state/as-of.ts'
export { chainOf } from './state/chain.ts'
export { checkState, type Violation } from './state/check.ts'
export { confidenceAt } from './state/confidence.ts'
export type { ItemState, MemoryState } from './state/memory-state.ts'
export type { Correction } from './understand/corrections.ts'
