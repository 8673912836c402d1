import os from 'node:os'
import { contextRestore } from '../agent/context-restore.ts'
import { handleIn } from '../agent/find-item.ts'
import { createEngineMaker, type EngineMaker } from '../config/engine-maker.ts'
import { openPauses } from '../config/pauses.ts'
import { findRegime, type Regime } from '../core/schedule/regimes.ts'
import { setRecent } from '../core/words/recent.ts'
import type { ClientFacts } from '../formats/client-facts.ts'
import type { FormatName } from '../formats/format.ts'
import { createDecider, type DecideOptions, type IncomingRequest } from '../gateway/decide.ts'
import type { Decided } from '../gateway/decided.ts'
import type { Answered } from '../gateway/forward.ts'
import { createMemoryInjector } from '../gateway/inject-memory.ts'
import { record } from '../gateway/record.ts'
import { createUsageWriter, type UsageWriter } from '../gateway/usage-writer.ts'
import { createListener, type Listener } from '../memory/listen/listener.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { LiveSessions } from '../session/live-sessions.ts'
import { createSteadyClock } from '../session/steady-clock.ts'
import type { Store, StoredSession } from '../store/index.ts'
import { type LibrarySetup, safely } from './prune-options.ts'

/** The sessions of one library client: what the gateway runs, without its server. */
export interface Pruner {
  readonly setup: LibrarySetup
  /** Opens the store on first use. Rejects when it cannot be opened; the next call tries again. */
  open(): Promise<OpenPruner>
  /** The original of a handle, as the restore tool answers. */
  restore(input: unknown, session?: string): Promise<string>
  /** Writes what is queued and closes the store. The next request opens it again. */
  close(): Promise<void>
}

export interface OpenPruner {
  readonly options: DecideOptions
  /** Decides about an HTTP body. Never rejects. */
  decide(request: IncomingRequest): Promise<Decided>
  /** Records an answer and reports it. */
  answered(answer: RecordedAnswer): void
}

export interface RecordedAnswer {
  readonly format: FormatName
  readonly model: string | null
  readonly decided: Pick<Decided, 'receipt' | 'turn'>
  readonly answered: LibraryAnswer
  readonly client: ClientFacts
  readonly at: number
}

/** An answer as far as a library sees it. */
export interface LibraryAnswer
  extends Pick<Answered, 'status' | 'usage'>,
    Partial<Pick<Answered, 'firstByteMs' | 'limits'>> {
  /** Why it ended early; null when it did not. */
  readonly error: unknown
}

/** How many of the last used sessions a restore tool can reach. */
const mostReached = 1_000

export function createPruner(setup: LibrarySetup): Pruner {
  const now = createSteadyClock({ uptimeMs: () => os.uptime() * 1000 })
  let opening: Promise<Opened> | null = null

  function open(): Promise<Opened> {
    if (opening !== null) return opening
    const started = openParts(setup, now)
    opening = started
    started.catch(() => {
      if (opening === started) opening = null
    })
    return started
  }

  return {
    setup,
    open,
    async restore(input, session) {
      const { store, maker, reached, usageWriter } = await open()
      await usageWriter.settle()
      const among = [...reached.values()].filter(
        ({ id }) => session === undefined || id === session || id.startsWith(`${session}.`),
      )
      const empty = { history: [], engine: maker.make([], { cwd: null, model: null }) }
      return contextRestore(empty, input, (handle) => originalOf(store, handle, among))
    },
    async close() {
      const opened = await opening?.catch(() => null)
      opening = null
      if (opened == null) return
      await opened.usageWriter.settle()
      await opened.listener?.settle()
      await opened.environment.close()
    },
  }
}

interface Opened extends OpenPruner {
  readonly store: Store
  readonly maker: EngineMaker
  readonly environment: Environment
  readonly usageWriter: UsageWriter
  readonly listener: Listener | null
  /** The sessions that were served, by their number in the store. The last used is last. */
  readonly reached: ReadonlyMap<number, StoredSession>
}

async function openParts(setup: LibrarySetup, now: () => number): Promise<Opened> {
  const { config, home, onError } = setup
  const environment = openEnvironment(setup, { now })
  const store = await environment.store.open()
  const usageWriter = createUsageWriter(onError)
  const maker = createEngineMaker(config)
  const reached = new Map<number, StoredSession>()
  const sessions = new LiveSessions({
    store,
    maker,
    origin: 'sdk',
    isLive: true,
    settle: usageWriter.settle,
    onOpened(session) {
      setRecent(reached, session.number, session, mostReached)
    },
  })
  const { use } = environment.memory
  const { inject, learn, budgetTokens } = config.memory ?? {}
  const listener = learn === true ? createListener({ use, onFault: onError }) : null
  const options: DecideOptions = {
    sessions,
    maker,
    models: config.models,
    regime: regimeNamed(config.regime),
    // The provider would have to be asked twice when it refuses, which only a gateway can hide.
    delegation: null,
    memory: inject === true ? createMemoryInjector({ use, budgetTokens }) : null,
    pauses: openPauses(home, now),
    listener,
    restoreCommand: null,
    cwd: setup.cwd,
    now,
  }
  const decide = createDecider(options)
  return {
    store,
    maker,
    environment,
    usageWriter,
    listener,
    reached,
    options,
    async decide(request) {
      const decided = await decide(request)
      if (decided.fault !== null) onError(decided.fault)
      return decided
    },
    answered({ format, model, answered: { error, ...shown }, ...answer }) {
      const besides = { firstByteMs: null, limits: null, isFallback: false }
      const answered = { ...besides, ...shown, error: error === null ? null : errorName(error) }
      try {
        const receipt = record({ model: { format, model }, answered, ...answer }, usageWriter)
        safely(() => setup.onReceipt(receipt))
      } catch (fault) {
        onError(fault)
      }
    },
  }
}

function regimeNamed(name: string | undefined): Regime | undefined {
  return name === undefined ? undefined : findRegime(name)
}

async function originalOf(
  store: Store,
  handle: string,
  among: readonly StoredSession[],
): Promise<string | null> {
  if (handleIn(handle) === null || among.length === 0) return null
  const found = await store.original(handle, among)
  switch (found.kind) {
    case 'found':
      return found.text
    case 'absent':
      return null
    case 'ambiguous':
      return `${handle} names different texts in ${found.sessions.length} sessions. Nothing was restored.`
  }
}

/** Without the error's message, which may contain texts of the session. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
