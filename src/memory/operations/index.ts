import { add } from './add.ts'
import { retract, review, supersede, undo } from './change.ts'
import { forget } from './forget.ts'
import { check, patterns } from './inspect.ts'
import { log } from './log.ts'
import type { MemoryOperation } from './operation.ts'
import { context, get, history, list, search } from './read.ts'
import { exportMemory, importMemory } from './transfer.ts'

/** Every operation that is both a `palimpsest memory` command and an MCP tool, in the order in which both list them. */
export const memoryOperations: readonly MemoryOperation[] = [
  add,
  supersede,
  retract,
  undo,
  forget,
  list,
  get,
  search,
  history,
  log,
  context,
  patterns,
  review,
  check,
  exportMemory,
  importMemory,
]
