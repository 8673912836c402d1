export { type ActionOptions, actionOf, type ToolCall } from './action-of.ts'
export type { ToolMapping } from './mapping.ts'
export { parsePatch } from './patch.ts'
export { createPaths, type Paths, type PathsOptions } from './paths.ts'
export {
  type FileLines,
  type Injected,
  type InjectedKind,
  type ResultReading,
  readResult,
} from './result/index.ts'
