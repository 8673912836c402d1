import { isJsonObject, objectOf } from '../core/words/json.ts'
import type { AnswerUsage } from '../formats/usage.ts'
import { createPromptDecider, type DecidedPrompt, type PromptCall } from './decide-prompt.ts'
import { type PromptParams, sessionIn } from './prompt.ts'
import { type PruneOptions, readOptions } from './prune-options.ts'
import { createPruner, type LibraryAnswer, type OpenPruner } from './pruner.ts'
import { pruned, type WithPruner } from './restore-tool.ts'

/** The parameters of a call, as far as they matter here. */
export interface PrunedParams extends PromptParams {
  readonly tools?: unknown
}

/** The model that a middleware wraps, as far as it matters here. */
export interface WrappedModel {
  readonly modelId: string
}

/** A middleware of the AI SDK (`LanguageModelV3Middleware`), for `wrapLanguageModel({ model, middleware })`. */
export interface PruneMiddleware extends WithPruner {
  readonly specificationVersion: 'v3'
  /** Never throws: on an error it calls `onError` and leaves the call unchanged. */
  transformParams<Params extends PrunedParams>(call: {
    readonly params: Params
    readonly model: WrappedModel
  }): Promise<Params>
  /** Reads the usage of an answer. */
  wrapGenerate<Result>(call: {
    doGenerate(): PromiseLike<Result>
    readonly params: object
  }): Promise<Result>
  wrapStream<Result extends { readonly stream: ReadableStream }>(call: {
    doStream(): PromiseLike<Result>
    readonly params: object
  }): Promise<Result>
  /** Writes what is queued and closes the store. */
  close(): Promise<void>
}

/**
 * Prunes the prompts of a model. `providerOptions: { palimpsest: { session } }` of a call names its conversation; without
 * a name it is recognised by the messages that it begins with.
 *
 * @example
 * const middleware = pruneMiddleware()
 * const model = wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware })
 *
 * @throws PalimpsestError with code `usage` or `configuration` for an invalid option or configuration file.
 */
export function pruneMiddleware(options: PruneOptions = {}): PruneMiddleware {
  const setup = readOptions('pruneMiddleware', options)
  const pruner = createPruner(setup)
  const deciders = new WeakMap<OpenPruner, (call: PromptCall) => Promise<DecidedPrompt>>()
  const calls = createOpenCalls()

  function deciderOf(open: OpenPruner): (call: PromptCall) => Promise<DecidedPrompt> {
    const known = deciders.get(open) ?? createPromptDecider(open.options)
    deciders.set(open, known)
    return known
  }

  return {
    specificationVersion: 'v3',
    [pruned]: pruner,
    async transformParams({ params, model }) {
      try {
        const at = Date.now()
        const open = await pruner.open()
        const session = sessionIn(params) ?? setup.session
        const { prompt, decided } = await deciderOf(open)({
          prompt: params.prompt,
          tools: params.tools,
          model: model.modelId,
          identity: { session, parent: null, credential: 'ai-sdk' },
        })
        if (decided.fault !== null) setup.onError(decided.fault)
        // A copy, so that its answer can be told from that of another call with the same parameters.
        const sent = { ...params, prompt }
        calls.begin(sent, { open, decided, model: model.modelId, at })
        return sent
      } catch (error) {
        setup.onError(error)
        return params
      }
    },
    async wrapGenerate({ doGenerate, params }) {
      try {
        const result = await doGenerate()
        calls.end(params, usageOf(objectOf(result).usage))
        return result
      } catch (error) {
        calls.fail(params, error)
        throw error
      }
    },
    async wrapStream({ doStream, params }) {
      try {
        const result = await doStream()
        return { ...result, stream: withUsage(result.stream, (usage) => calls.end(params, usage)) }
      } catch (error) {
        calls.fail(params, error)
        throw error
      }
    },
    close: () => pruner.close(),
  }
}

/** A call whose answer is awaited. */
interface OpenCall {
  readonly open: OpenPruner
  readonly decided: DecidedPrompt['decided']
  readonly model: string
  readonly at: number
}

/** Calls whose answer is awaited, by the parameters that were sent. */
function createOpenCalls(): {
  begin(params: object, call: OpenCall): void
  end(params: object, usage: AnswerUsage | null): void
  fail(params: object, error: unknown): void
} {
  const calls = new WeakMap<object, OpenCall>()

  function record(params: object, answered: LibraryAnswer): void {
    const call = calls.get(params)
    if (call === undefined) return
    calls.delete(params)
    const { open, ...about } = call
    const client = { agent: 'ai-sdk', billing: null }
    open.answered({ format: 'ai-sdk', ...about, answered, client })
  }

  return {
    begin: (params, call) => void calls.set(params, call),
    end: (params, usage) => record(params, { status: 200, usage, error: null }),
    fail: (params, error) => record(params, { status: null, usage: null, error }),
  }
}

/** The same stream. `onEnd` gets the usage that it reported. */
function withUsage<Part>(
  stream: ReadableStream<Part>,
  onEnd: (usage: AnswerUsage | null) => void,
): ReadableStream<Part> {
  let usage: AnswerUsage | null = null
  return stream.pipeThrough(
    new TransformStream<Part, Part>({
      transform(part, controller) {
        if (isJsonObject(part) && part.type === 'finish') usage = usageOf(part.usage)
        controller.enqueue(part)
      },
      flush: () => onEnd(usage),
    }),
  )
}

/** The usage of an answer in the AI SDK's own words; null when the provider reported none. */
function usageOf(usage: unknown): AnswerUsage | null {
  const input = objectOf(objectOf(usage).inputTokens)
  const output = objectOf(objectOf(usage).outputTokens)
  if (typeof input.total !== 'number') return null
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
  return {
    input: input.total,
    output: count(output.total),
    cacheRead: count(input.cacheRead),
    cacheWrite: count(input.cacheWrite),
  }
}
