import type { StrategyFactory } from '../strategy.ts'
import { context } from './context.ts'
import { file } from './file.ts'
import { hash } from './hash.ts'
import { plan } from './plan.ts'
import { query } from './query.ts'
import { retry } from './retry.ts'
import { screenshot } from './screenshot.ts'
import { search } from './search.ts'
import { snapshot } from './snapshot.ts'
import { supersedeWrites } from './supersede-writes.ts'
import { todo } from './todo.ts'
import { url } from './url.ts'

/** In the documented order of execution. */
export const supersedeStrategies: readonly StrategyFactory[] = [
  hash,
  file,
  supersedeWrites,
  todo,
  plan,
  url,
  search,
  query,
  snapshot,
  screenshot,
  retry,
  context,
]
