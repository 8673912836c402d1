import type { Format } from '../format.ts'
import { createListFormat } from '../object/create-format.ts'
import { aiSdkDialect } from './dialect.ts'
import { aiSdkChangeRules } from './rules.ts'
import { check } from './validate.ts'

/**
 * The AI SDK: model messages of an application, and the prompt that a language model or its middleware receives.
 */
export const aiSdk: Format<readonly unknown[]> = createListFormat(
  aiSdkDialect,
  check,
  aiSdkChangeRules,
)
