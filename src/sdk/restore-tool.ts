import { agentTools } from '../agent/tool-definitions.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, parseJson } from '../core/words/json.ts'
import type { Pruner } from './pruner.ts'

/** Where a pruned `fetch` and a middleware keep their sessions. */
export const pruned: unique symbol = Symbol('palimpsest sessions')

/** The result of `withPalimpsest` or `pruneMiddleware`. */
export interface WithPruner {
  // Opaque, so that the types of the store are not part of the API.
  readonly [pruned]: object
}

/** What a model gives to the restore tool. */
export interface RestoreInput {
  /** The handle in a placeholder: six or more hex digits. */
  readonly handle: string
  /** A range such as `40-80`. */
  readonly lines?: string | undefined
  /** A pattern. */
  readonly grep?: string | undefined
}

export interface RestoreToolOptions {
  /** Restores only from the session of this name. Otherwise from every session of the same `fetch` or middleware. */
  readonly session?: string | undefined
}

const restoreName = 'context_restore'

/** The JSON schema of the tool's input. It is a fresh object for each tool, because some SDKs add to it. */
export interface RestoreSchema {
  type: 'object'
  properties: { handle: TextSchema; lines: TextSchema; grep: TextSchema }
  required: 'handle'[]
  additionalProperties: false
  [keyword: string]: unknown
}

export interface TextSchema {
  type: 'string'
}

/** For `tools` of the Messages API, and for Anthropic's tool runner. */
export interface AnthropicRestoreTool {
  name: typeof restoreName
  description: string
  input_schema: RestoreSchema
  run(input: RestoreInput): Promise<string>
  parse(input: unknown): RestoreInput
}

/** For `tools` of chat completions, and for OpenAI's `runTools`. */
export interface OpenaiChatRestoreTool {
  type: 'function'
  function: {
    name: typeof restoreName
    description: string
    parameters: RestoreSchema
    function(input: RestoreInput): Promise<string>
    parse(input: string): RestoreInput
  }
}

/** For `tools` of the Responses API. */
export interface OpenaiResponsesRestoreTool {
  type: 'function'
  name: typeof restoreName
  description: string
  parameters: RestoreSchema
  strict: false
}

/** A call of a function as Gemini makes it. */
export interface GeminiCall {
  id?: string
  name?: string
  args?: Record<string, unknown>
}

export interface GeminiDeclaration {
  name: typeof restoreName
  description: string
  parametersJsonSchema: RestoreSchema
}

export interface GeminiResponsePart {
  functionResponse: { id?: string; name: string; response: { output: string } }
}

/** For `tools` of Google's SDK, which calls the function itself; `declaration` is for callers that do it themselves. */
export interface GeminiRestoreTool {
  readonly declaration: GeminiDeclaration
  tool(): Promise<{ functionDeclarations: GeminiDeclaration[] }>
  callTool(calls: GeminiCall[]): Promise<GeminiResponsePart[]>
}

/** For `tools` of the AI SDK, under the name `context_restore`. */
export interface AiSdkRestoreTool {
  description: string
  inputSchema: StandardSchema
  execute(input: RestoreInput): Promise<string>
}

/** A schema in the form that schema libraries agree on (Standard Schema, with its JSON Schema). */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'palimpsest'
    readonly types?: { readonly input: RestoreInput; readonly output: RestoreInput } | undefined
    validate(
      value: unknown,
    ):
      | { readonly value: RestoreInput }
      | { readonly issues: readonly { readonly message: string }[] }
    readonly jsonSchema: {
      input(): Record<string, unknown>
      output(): Record<string, unknown>
    }
  }
}

/** The restore tool in the form of each SDK. Placeholders name it in requests that offer it. */
export interface RestoreTool {
  readonly name: typeof restoreName
  readonly description: string
  /** Answers a call. An invalid input gets an answer that says what is valid. */
  run(input: unknown): Promise<string>
  readonly anthropic: AnthropicRestoreTool
  readonly openaiChat: OpenaiChatRestoreTool
  readonly openaiResponses: OpenaiResponsesRestoreTool
  readonly gemini: GeminiRestoreTool
  readonly aiSdk: AiSdkRestoreTool
}

/**
 * The tool by which a model brings back what was left out of its context.
 *
 * @example
 * const fetch = withPalimpsest(globalThis.fetch)
 * const { anthropic } = restoreTool(fetch)
 * client.messages.create({ tools: [anthropic, …], … })
 */
export function restoreTool(from: WithPruner, options: RestoreToolOptions = {}): RestoreTool {
  const pruner = from?.[pruned] as Pruner | undefined
  if (pruner === undefined) {
    const message = 'restoreTool takes what withPalimpsest or pruneMiddleware returned.'
    throw new PalimpsestError('usage', message)
  }
  const session = options.session ?? pruner.setup.session ?? undefined
  return toolsOf((input) => pruner.restore(input, session))
}

function toolsOf(run: (input: unknown) => Promise<string>): RestoreTool {
  const name = restoreName
  const description = agentTools.find((tool) => tool.name === name)?.description ?? ''
  const declaration: GeminiDeclaration = { name, description, parametersJsonSchema: schema() }
  return {
    name,
    description,
    run,
    anthropic: { name, description, input_schema: schema(), run, parse: inputOf },
    openaiChat: {
      type: 'function',
      function: {
        name,
        description,
        parameters: schema(),
        function: run,
        parse: (input) => inputOf(parseJson(input)),
      },
    },
    openaiResponses: { type: 'function', name, description, parameters: schema(), strict: false },
    gemini: {
      declaration,
      tool: async () => ({ functionDeclarations: [declaration] }),
      callTool: (calls) =>
        Promise.all(
          calls
            .filter((call) => call.name === name)
            .map(async ({ id, args }) => ({
              functionResponse: {
                ...(id === undefined ? {} : { id }),
                name,
                response: { output: await run(args) },
              },
            })),
        ),
    },
    aiSdk: { description, inputSchema: standardSchema, execute: run },
  }
}

function schema(): RestoreSchema {
  return {
    type: 'object',
    properties: { handle: { type: 'string' }, lines: { type: 'string' }, grep: { type: 'string' } },
    required: ['handle'],
    additionalProperties: false,
  }
}

const standardSchema: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'palimpsest',
    validate: (value) => ({ value: inputOf(value) }),
    jsonSchema: { input: schema, output: schema },
  },
}

/** What is missing or wrong is answered by `run`, so that the model can correct it. */
function inputOf(value: unknown): RestoreInput {
  const { handle, lines, grep } = isJsonObject(value) ? value : {}
  const text = (given: unknown): string | undefined =>
    given === undefined || given === null ? undefined : String(given)
  const from = text(lines)
  const pattern = text(grep)
  return {
    handle: text(handle) ?? '',
    ...(from === undefined ? {} : { lines: from }),
    ...(pattern === undefined ? {} : { grep: pattern }),
  }
}
