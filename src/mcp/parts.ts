import type { EngineMaker } from '../config/engine-maker.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { Memory, Place } from '../memory/index.ts'
import type { Store } from '../store/index.ts'
import type { Caller } from './caller.ts'

/** The memory and the caller's place. */
export interface PlacedMemory {
  readonly memory: Memory
  readonly place: Place
}

/** The services that the tools use. A `PalimpsestError` becomes the tool's answer. */
export interface McpParts {
  readonly version: string
  /** Reads what other processes wrote before `work`, and saves after it. `owner`: see `Environment.memoryOf`. */
  useMemory<Result>(
    work: (memory: Memory) => Result | Promise<Result>,
    owner?: string | null,
  ): Promise<Result>
  useStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
  /** Makes engines with the configuration, to read sessions. */
  readonly maker: EngineMaker
  readonly models: readonly ModelOverride[]
  /** What the connection says about the caller. */
  readonly caller: Caller
  /** The session id for clients that do not name one. */
  readonly unnamedSession: string
  /** The user's own folder, with the export registry and the audit log. */
  readonly home: string | undefined
  /** The `--store` arguments for a command that is shown to a person; empty when not needed or with a password. */
  readonly storeArguments: readonly string[]
  /** Milliseconds since 1970. */
  now(): number
  /** Called for internal errors; the caller gets them too. */
  onFault(fault: unknown): void
}
