import Anthropic from '@anthropic-ai/sdk'
import type { Scenario } from './scenario.ts'

export type Params = Anthropic.MessageCreateParamsNonStreaming

const readTool: Anthropic.Tool = {
  name: 'read',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}

const longSystem: Anthropic.TextBlockParam[] = [
  { type: 'text', text: 'Be brief. '.repeat(900), cache_control: { type: 'ephemeral' } },
]

/** One call, then an answer. */
export const readOnce: Scenario = {
  turns: [
    { text: 'Let me look.', reasoning: 'A file.', operations: [{ kind: 'read', path: 'a.ts' }] },
    { text: 'It is empty.' },
  ],
}

export function paramsFor(modelName: string): Params {
  return {
    model: modelName,
    max_tokens: 4_000,
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    system: longSystem,
    tools: [readTool],
    messages: [{ role: 'user', content: 'What is in a.ts?' }],
  }
}

/** The conversation with the answer and the result of its calls, as an agent would go on. */
export function continued(params: Params, answer: Anthropic.Message, result: string): Params {
  const results = answer.content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ type: 'tool_result' as const, tool_use_id: block.id, content: result }))
  return {
    ...params,
    messages: [
      ...params.messages,
      { role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] },
      { role: 'user', content: results },
    ],
  }
}

/** The error with which the SDK rejects; throws when it does not. */
export async function failureOf(
  attempt: Promise<unknown>,
): Promise<InstanceType<typeof Anthropic.APIError>> {
  const failure: unknown = await attempt.then(
    () => new Error('the request was accepted'),
    (error: unknown) => error,
  )
  if (failure instanceof Anthropic.APIError) return failure
  throw failure
}
