import * as z from 'zod'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import { reasoningBindings } from '../core/schedule/models/model-row.ts'

const multiple = (of: string): z.ZodOptional<z.ZodNumber> =>
  z.number().min(0).optional().describe(`What ${of} costs, as a multiple of the input price.`)

export const modelOverrideSchema: z.ZodType<ModelOverride> = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .describe('The name of the model, in any case; `*` stands for any characters.'),
    like: z
      .string()
      .min(1)
      .optional()
      .describe('A similar model, which gives the values that are left out here.'),
    inputPrice: z.number().min(0).optional().describe('Dollars for a million input tokens.'),
    write: multiple('writing to the cache'),
    longWrite: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe('The same for a long-lived entry; null: there is none.'),
    read: multiple('reading from the cache'),
    cacheMinutes: z
      .number()
      .min(0)
      .optional()
      .describe('How long a prefix stays cached after its last use; 0: nothing is cached.'),
    minimumTokens: z.int().min(0).optional().describe('A shorter prefix is not cached.'),
    contextLimit: z
      .int()
      .positive()
      .nullable()
      .optional()
      .describe('How many tokens a request may have; null: not known.'),
    reasoning: z
      .enum(reasoningBindings)
      .optional()
      .describe('How its reasoning depends on what precedes it.'),
  })
  .describe('What you know better about a model.')
