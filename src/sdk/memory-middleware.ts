import { resolve } from 'node:path'
import { resolveSettings } from '../config/resolve.ts'
import { untrustedWarning } from '../config/trusted-folders.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { injectedSoFar, injectMemory } from '../memory/inject/inject-memory.ts'
import { createListener, type Listener } from '../memory/listen/listener.ts'
import { newTurns } from '../memory/listen/new-turns.ts'
import type { Memory } from '../memory/memory.ts'
import { openEnvironment } from '../session/environment.ts'
import { isLearning } from '../session/learning.ts'
import { readSetup } from '../session/setup.ts'
import { type PromptParams, promptFacts, sessionIn, spokenIn, withMemoryTexts } from './prompt.ts'

/** Options that are left out are taken from `palimpsest.jsonc`, as in the gateway and the OpenCode plugin. */
export interface MemoryMiddlewareOptions {
  /** Names the conversation. `providerOptions.palimpsest.session` of a call wins over it. */
  readonly session?: string
  /** The project's folder, for its configuration and its memory. The working folder when left out. */
  readonly cwd?: string
  /** `memory.inject` of the configuration when left out. */
  readonly inject?: boolean
  /** Whether the user's turns are read into the memory. `memory.learn` of the configuration when left out. */
  readonly learn?: boolean
  /** `memory.budgetTokens` of the configuration when left out. */
  readonly budgetTokens?: number
  /** A file, a folder or a `postgres://` URL. `store` of the configuration when left out. */
  readonly store?: string
  /** A memory that is open already, instead of a store. The caller closes it. */
  readonly memory?: Memory
  /** Gets one line for everything that was read into the memory. */
  onRemembered?(line: string): void
  /** Called with the reason why a call was left unchanged. A warning of the process when left out. */
  onProblem?(problem: unknown): void
}

/** A middleware of the AI SDK (`LanguageModelV3Middleware`), for `wrapLanguageModel({ model, middleware })`. */
export interface MemoryMiddleware {
  readonly specificationVersion: 'v3'
  /** Never throws: on an error it calls `onProblem` and leaves the call unchanged. */
  transformParams<Params extends PromptParams>(call: { readonly params: Params }): Promise<Params>
  /** Closes the store that it opened. */
  close(): Promise<void>
}

/** The memory, and what is done with it. */
interface Source {
  readonly memory: Memory
  readonly inject: boolean
  readonly listener: Listener | null
  readonly project: string
  readonly budgetTokens: number | undefined
  close(): Promise<void>
}

/**
 * Injects memory into a model's calls: current items before the first message of the user, and changes behind the newest
 * message. Every later call of the conversation has the same bytes again, in other processes too.
 */
export function memoryMiddleware(options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  const { onProblem = (problem) => process.emitWarning(errorMessage(problem)) } = options
  let opening: Promise<Source | null> | null = null

  async function withMemory<Params extends PromptParams>(params: Params): Promise<Params> {
    opening ??= openSource(options)
    const source = await opening
    const facts = source && promptFacts(params.prompt)
    if (source === null || facts === null) return params
    const { memory, project, budgetTokens, listener } = source
    const session = sessionIn(params) ?? options.session
    if (session === undefined && !source.inject) return params
    if (session === undefined) throw new PalimpsestError('usage', noSession)
    listener?.hear(newTurns(spokenIn(params.prompt), session), { project, session })
    if (!source.inject) return params
    const request = {
      ...facts,
      session,
      place: { project, session },
      isCold: false,
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    }
    // Nothing can be added behind an answer that the model is to continue.
    const isContinued = params.prompt.at(-1)?.role === 'assistant'
    const inject = isContinued ? injectedSoFar : injectMemory
    const places = await inject(memory, request)
    return places.length === 0
      ? params
      : { ...params, prompt: withMemoryTexts(params.prompt, places) }
  }

  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      try {
        return await withMemory(params)
      } catch (problem) {
        report(onProblem, problem)
        return params
      }
    },
    async close() {
      const source = await opening?.catch(() => null)
      opening = null
      await source?.close()
    },
  }

  async function openSource(given: MemoryMiddlewareOptions): Promise<Source | null> {
    try {
      return await sourceOf(given)
    } catch (problem) {
      // The next call tries again.
      opening = null
      throw problem
    }
  }
}

async function sourceOf(given: MemoryMiddlewareOptions): Promise<Source | null> {
  const cwd = resolve(given.cwd ?? process.cwd())
  const setup = readSetup({ cwd, home: userConfigFolder(), store: given.store })
  const { config } = setup
  for (const request of config.untrusted ?? []) process.emitWarning(untrustedWarning(request))
  const { inject = config.memory?.inject ?? false } = given
  const learn = given.learn ?? isLearning(setup)
  if (!(inject || learn) || !resolveSettings(config).enabled) return null
  const environment = openEnvironment(setup)
  const memory = given.memory ?? (await environment.memory.open())
  const budgetTokens = given.budgetTokens ?? config.memory?.budgetTokens
  const listener = learn ? listenerOn(memory, given) : null
  return {
    memory,
    inject,
    listener,
    project: cwd,
    budgetTokens,
    async close() {
      await listener?.settle()
      await environment.close()
    },
  }
}

function listenerOn(
  memory: Memory,
  { onRemembered, onProblem }: MemoryMiddlewareOptions,
): Listener {
  return createListener({
    use: (work) => work(memory),
    onFault: (fault) => onProblem?.(fault),
    ...(onRemembered === undefined ? {} : { onChange: onRemembered }),
  })
}

const noSession =
  'the memory needs a name for the conversation. Give `session` to memoryMiddleware, or to the call as ' +
  'providerOptions: { palimpsest: { session } }.'

function report(onProblem: (problem: unknown) => void, problem: unknown): void {
  try {
    onProblem(problem)
  } catch {
    // The call continues even when the report fails.
  }
}
