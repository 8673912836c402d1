import type { EngineMaker } from '../config/engine-maker.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { Memory, Place } from '../memory/index.ts'
import type { Store } from '../store/index.ts'
import type { Caller } from './caller.ts'

/** What is remembered, and where the asking agent stands. */
export interface PlacedMemory {
  readonly memory: Memory
  readonly place: Place
}

/** What the tools work on. Both rejections and throws of a `PalimpsestError` become the answer of the tool. */
export interface McpParts {
  readonly version: string
  /** What others wrote is known to `work`, and what it writes is durable when it is over. */
  useMemory<Result>(work: (memory: Memory) => Result | Promise<Result>): Promise<Result>
  useStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
  /** Makes engines as the configuration says, to look at sessions with. */
  readonly maker: EngineMaker
  readonly models: readonly ModelOverride[]
  /** What the connection itself says about who asks. */
  readonly caller: Caller
  /** Names what has the scope of a session where the client does not name one. */
  readonly unnamedSession: string
  /** The user's own folder, which knows their exports and keeps the audit log. */
  readonly home: string | undefined
  /** The store, as a person would name it on the command line; empty where that is not needed, or has a password in it. */
  readonly storeArguments: readonly string[]
  /** Milliseconds since 1970. */
  now(): number
  /** Told of faults of ours; whoever called is told too. */
  onFault(fault: unknown): void
}
