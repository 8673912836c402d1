import * as fc from 'fast-check'
import type { BodyFormatName } from '../../src/formats/format.ts'

/** One tool call of a made-up conversation, with what came back. */
interface RandomCall {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: string
  readonly failed: boolean
  readonly image: boolean
  readonly blocks: boolean
}

interface RandomStep {
  readonly user: string | null
  readonly reasoning: string | null
  readonly answer: string
  readonly calls: readonly RandomCall[]
}

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme', maxLength: 12 }),
  fc.string({ minLength: 1, unit: 'binary', maxLength: 12 }),
  fc.constantFrom('const a = "b"\n', '\\', '"', '\\"', '{"a":[', '\ud800 alone', '日本', '\u0000'),
)

const call: fc.Arbitrary<RandomCall> = fc.record({
  id: fc.constantFrom('a', 'b', 'call_0', '__proto__', 'toString', 'c1', 'c2', 'c3'),
  tool: fc.constantFrom('read', 'bash', 'constructor'),
  input: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  result: text,
  failed: fc.boolean(),
  image: fc.boolean(),
  blocks: fc.boolean(),
})

const step: fc.Arbitrary<RandomStep> = fc.record({
  user: fc.option(text),
  reasoning: fc.option(text),
  answer: text,
  calls: fc.array(call, { maxLength: 3 }),
})

/** The elements of a conversation in one format. */
function elements(format: BodyFormatName, steps: readonly RandomStep[]): unknown[] {
  return steps.flatMap((one) => writers[format](one))
}

const png = 'aGVsbG8='

const writers: Record<BodyFormatName, (one: RandomStep) => unknown[]> = {
  anthropic: ({ user, reasoning, answer, calls }) => [
    ...(user === null ? [] : [{ role: 'user', content: user }]),
    {
      role: 'assistant',
      content: [
        ...(reasoning === null ? [] : [{ type: 'thinking', thinking: reasoning, signature: 's' }]),
        { type: 'text', text: answer },
        ...calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
      ],
    },
    {
      role: 'user',
      content: [
        ...calls.map(({ id, result, failed, image, blocks }) => ({
          type: 'tool_result',
          tool_use_id: id,
          is_error: failed,
          content: blocks
            ? [
                { type: 'text', text: result },
                ...(image
                  ? [
                      {
                        type: 'image',
                        source: { type: 'base64', media_type: 'image/png', data: png },
                      },
                    ]
                  : []),
                { type: 'text', text: answer },
              ]
            : result,
        })),
        { type: 'unheard_of', answer },
      ],
    },
  ],
  'openai-chat': ({ user, reasoning, answer, calls }) => [
    ...(user === null ? [] : [{ role: 'user', content: [{ type: 'text', text: user }] }]),
    {
      role: 'assistant',
      ...(reasoning === null ? {} : { reasoning_content: reasoning }),
      content: answer,
      tool_calls: calls.map(({ id, tool, input }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      })),
    },
    ...calls.map(({ id, result, blocks }) => ({
      role: 'tool',
      tool_call_id: id,
      content: blocks ? [{ type: 'text', text: result }, { type: 'odd' }] : result,
    })),
  ],
  'openai-responses': ({ user, reasoning, answer, calls }) => [
    ...(user === null ? [] : [{ role: 'user', content: user }]),
    ...(reasoning === null
      ? []
      : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }]),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
    ...calls.map(({ id, tool, input }) => ({
      type: 'function_call',
      call_id: id,
      name: tool,
      arguments: JSON.stringify(input),
    })),
    ...calls.map(({ id, result, image, blocks }) => ({
      type: 'function_call_output',
      call_id: id,
      output: blocks
        ? [
            ...(image ? [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }] : []),
            { type: 'input_text', text: result },
          ]
        : result,
    })),
  ],
  gemini: ({ user, reasoning, answer, calls }) => [
    ...(user === null ? [] : [{ role: 'user', parts: [{ text: user }] }]),
    {
      role: 'model',
      parts: [
        ...(reasoning === null ? [] : [{ text: reasoning, thought: true }]),
        { text: answer },
        ...calls.map(({ id, tool, input, failed }) => ({
          functionCall: { name: tool, args: input, ...(failed ? { id } : {}) },
        })),
      ],
    },
    {
      role: 'user',
      parts: calls.map(({ id, tool, result, failed, blocks }) => ({
        functionResponse: {
          ...(failed ? { id } : {}),
          name: tool,
          response: blocks ? { output: result, code: 0 } : { output: result },
        },
      })),
    },
  ],
}

const conversationKeys: Record<BodyFormatName, string> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
}

/** A conversation with the members around it, which may stand before or after it. */
export interface RandomBody {
  readonly elements: readonly unknown[]
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export function randomBody(format: BodyFormatName): fc.Arbitrary<RandomBody> {
  const around = fc.dictionary(
    fc.constantFrom('model', 'tools', 'system', 'max_tokens', 'instructions', 'extra'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  )
  const conversation = fc.array(step, { minLength: 1, maxLength: 4 })
  return fc
    .tuple(conversation, around, around)
    .map(([steps, before, after]) => ({ elements: elements(format, steps), before, after }))
}

/** As a serialiser would spell it. */
export function canonicalText(format: BodyFormatName, body: RandomBody): string {
  return JSON.stringify({
    ...body.before,
    [conversationKeys[format]]: body.elements,
    ...body.after,
  })
}

/** The same JSON with white space and escapes where they may be, chosen by a seed. */
export function spellOddly(json: string, seed: number): string {
  let state = seed | 0
  const chance = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32
  }
  let spelled = ''
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at)
    if (character === '"') inString = !inString
    if (inString && character === '\\') {
      const length = json.charAt(at + 1) === 'u' ? 6 : 2
      spelled += json.slice(at, at + length)
      at += length - 1
      continue
    }
    if (inString && /[a-z]/.test(character) && chance() < 0.05) {
      spelled += `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
      continue
    }
    spelled += character
    if (!inString && /[[\]{}:,]/.test(character) && chance() < 0.2) {
      spelled += ['\n', ' ', '\t', '\r\n  '][Math.floor(chance() * 4)]
    }
  }
  return spelled
}
