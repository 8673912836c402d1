export {
  type MemoryMiddleware,
  type MemoryMiddlewareOptions,
  memoryMiddleware,
} from './memory-middleware.ts'
export type { PromptMessage, PromptParams } from './prompt.ts'
