import { anthropicModels } from './anthropic-models.ts'
import type { FamilyTraits, ModelFamilyRow, ModelProvider } from './model-row.ts'
import { openaiModels } from './openai-models.ts'
import { otherModels } from './other-models.ts'

/** All known families. The first whose pattern matches a name counts. */
export const modelFamilies: readonly ModelFamilyRow[] = [
  ...anthropicModels,
  ...otherModels,
  ...openaiModels,
]

export interface ModelFamily extends FamilyTraits {
  readonly name: string
  readonly provider: ModelProvider
}

const noTraits: FamilyTraits = {
  signsThinking: false,
  bindsReasoning: false,
  startsWithThinking: false,
  rejectsEnabledThinking: false,
  rejectsDisabledThinking: false,
  rejectsPrefill: false,
  rejectsSystemEntries: false,
  wantsReasoningOnAll: false,
  wantsReasoningOnCalls: false,
  wantsThoughtSignatures: false,
  wantsShortCallIds: false,
  rejectsUserAfterTool: false,
  limitsCallIds: false,
}

/**
 * The family of a model's name. An unknown name has no traits, so only the rules for all models are checked.
 */
export function modelFamily(model: string): ModelFamily {
  const row = familyRow(model)
  if (row === undefined) return { name: 'unknown', provider: 'unknown', ...noTraits }
  const traits = Object.fromEntries(row.traits.map((trait) => [trait, true]))
  return { name: row.name, provider: row.provider, ...noTraits, ...traits }
}

export function familyRow(model: string): ModelFamilyRow | undefined {
  const name = model.toLowerCase()
  return modelFamilies.find((family) => family.pattern.test(name))
}
