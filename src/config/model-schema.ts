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
      .describe(
        'The name of the model; upper and lower case are the same, and `*` stands for any characters.',
      ),
    like: z
      .string()
      .min(1)
      .optional()
      .describe('A model whose facts fill in what is not said here.'),
    inputPrice: z.number().min(0).optional().describe('Dollars for a million input tokens.'),
    write: multiple('writing to the cache'),
    longWrite: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe(
        'What writing a cache entry that is kept for long costs, as a multiple of the input price; null: there is none.',
      ),
    read: multiple('reading from the cache'),
    cacheMinutes: z
      .number()
      .min(0)
      .optional()
      .describe('How long a prefix stays cached after its last use; 0: nothing is cached.'),
    minimumTokens: z
      .int()
      .min(0)
      .optional()
      .describe('The length of the shortest prefix that is cached, in tokens.'),
    contextLimit: z
      .int()
      .positive()
      .nullable()
      .optional()
      .describe('How many tokens a request may have; null: not known.'),
    reasoning: z
      .enum(reasoningBindings)
      .optional()
      .describe(
        'How reasoning depends on what precedes it. `none`: plain text. `signed`: sent back as it came, or left out whole. `prefix-checked`: valid only while nothing before it changes.',
      ),
  })
  .describe('What you know better about a model.')
