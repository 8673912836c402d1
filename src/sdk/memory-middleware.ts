import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { loadConfig } from '../config/load.ts'
import { resolveSettings } from '../config/resolve.ts'
import { untrustedWarning } from '../config/trusted-folders.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject } from '../core/words/json.ts'
import { openLog } from '../memory/log/open-log.ts'
import { Memory } from '../memory/memory.ts'
import { tellMemory, toldUpToNow } from '../memory/tell/tell-memory.ts'
import { storeLocation } from '../store/location.ts'
import { type PromptParams, promptFacts, withTold } from './prompt.ts'

/** What is left out is taken from `palimpsest.jsonc`, as the gateway and the OpenCode plugin take it. */
export interface MemoryMiddlewareOptions {
  /** Names the conversation; `providerOptions.palimpsest.session` of a call stands above it. */
  readonly session?: string
  /** The project's folder: its configuration holds, and its items are told. The working folder when left out. */
  readonly cwd?: string
  /** `memory.inject` of the configuration when left out. */
  readonly inject?: boolean
  /** `memory.budgetTokens` of the configuration when left out. */
  readonly budgetTokens?: number
  /** A file, a folder, a `postgres://` URL; `store` of the configuration when left out. */
  readonly store?: string
  /** A memory that is open already, instead of a store; whoever opened it closes it. */
  readonly memory?: Memory
  /** Hears why a call went through as it came. A warning of the process when left out. */
  onProblem?(problem: unknown): void
}

/** A middleware of the AI SDK (`LanguageModelV3Middleware`), for `wrapLanguageModel({ model, middleware })`. */
export interface MemoryMiddleware {
  readonly specificationVersion: 'v3'
  /** Never throws: what goes wrong is heard by `onProblem`, and the call stays as it is. */
  transformParams<Params extends PromptParams>(call: { readonly params: Params }): Promise<Params>
  /** Closes the store that it opened. */
  close(): Promise<void>
}

/** Where it tells from; null when that is not wanted. */
interface Source {
  readonly memory: Memory
  readonly project: string
  readonly budgetTokens: number | undefined
}

/**
 * Tells a model what is remembered: what holds before the first message of the user, changes behind the newest message,
 * and the same bytes again with every later call of the conversation, in other processes too.
 */
export function memoryMiddleware(options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  const { onProblem = (problem) => process.emitWarning(messageOf(problem)) } = options
  let opening: Promise<Source | null> | null = null

  async function told<Params extends PromptParams>(params: Params): Promise<Params> {
    opening ??= openSource(options)
    const source = await opening
    const facts = source && promptFacts(params.prompt)
    if (source === null || facts === null) return params
    const { memory, project, budgetTokens } = source
    const session = sessionOf(params) ?? options.session
    if (session === undefined) throw new PalimpsestError('usage', noSession)
    const request = {
      ...facts,
      session,
      place: { project, session },
      isCold: false,
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    }
    // Behind an answer that is only continued nothing can be said.
    const isContinued = params.prompt.at(-1)?.role === 'assistant'
    const tell = isContinued ? toldUpToNow : tellMemory
    const places = await tell(memory, request)
    return places.length === 0 ? params : { ...params, prompt: withTold(params.prompt, places) }
  }

  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      try {
        return await told(params)
      } catch (problem) {
        heard(onProblem, problem)
        return params
      }
    },
    async close() {
      const source = await opening?.catch(() => null)
      opening = null
      if (options.memory === undefined) source?.memory.close()
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
  const { env, platform } = process
  const home = userConfigFolder({ env, platform, homedir: homedir() })
  const config = loadConfig({ cwd, home })
  for (const request of config.untrusted ?? []) process.emitWarning(untrustedWarning(request))
  const { inject = config.memory?.inject ?? false, store = config.store } = given
  if (!inject || !resolveSettings(config).enabled) return null
  const memory =
    given.memory ??
    new Memory({
      log: await openLog(storeLocation({ chosen: store, home, cwd })),
      now: Date.now,
      newId: (kind) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
    })
  const budgetTokens = given.budgetTokens ?? config.memory?.budgetTokens
  return { memory, project: cwd, budgetTokens }
}

const noSession =
  'the memory cannot be told: the conversation has no name. Give `session` to memoryMiddleware, or to the call as ' +
  'providerOptions: { palimpsest: { session } }.'

function sessionOf({ providerOptions }: PromptParams): string | undefined {
  const own = isJsonObject(providerOptions) ? providerOptions.palimpsest : undefined
  return isJsonObject(own) && typeof own.session === 'string' ? own.session : undefined
}

function heard(onProblem: (problem: unknown) => void, problem: unknown): void {
  try {
    onProblem(problem)
  } catch {
    // The call goes on, whatever becomes of the report.
  }
}

const messageOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem)
