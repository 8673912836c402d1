/** For people who build agents: prunes what the SDKs send, restores originals, and adds memory. */
export {
  type MemoryMiddleware,
  type MemoryMiddlewareOptions,
  memoryMiddleware,
} from './memory-middleware.ts'
export type { PromptMessage, PromptParams } from './prompt.ts'
export {
  type PrunedParams,
  type PruneMiddleware,
  pruneMiddleware,
  type WrappedModel,
} from './prune-middleware.ts'
export type { PruneOptions, PruneReceipt } from './prune-options.ts'
export {
  type AiSdkRestoreTool,
  type AnthropicRestoreTool,
  type GeminiCall,
  type GeminiDeclaration,
  type GeminiResponsePart,
  type GeminiRestoreTool,
  type OpenaiChatRestoreTool,
  type OpenaiResponsesRestoreTool,
  type RestoreInput,
  type RestoreSchema,
  type RestoreTool,
  type RestoreToolOptions,
  restoreTool,
  type StandardSchema,
  type TextSchema,
  type WithPruner,
} from './restore-tool.ts'
export {
  type FetchLike,
  type PrunedFetch,
  type PrunedFetchExtras,
  withPalimpsest,
} from './with-palimpsest.ts'
