import type { EngineMaker } from '../config/engine-maker.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { Memory, Place } from '../memory/index.ts'
import type { Store } from '../store/index.ts'

/** What is remembered, and where the asking agent stands. */
export interface PlacedMemory {
  readonly memory: Memory
  readonly place: Place
}

/** What the tools work on. Both rejections and throws of a `PalimpsestError` become the answer of the tool. */
export interface McpParts {
  readonly version: string
  /** What others wrote is known to `work`, and what it writes is durable when it is over. */
  useMemory<Result>(work: (placed: PlacedMemory) => Result | Promise<Result>): Promise<Result>
  useStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>
  /** Makes engines as the configuration says, to look at sessions with. */
  readonly maker: EngineMaker
  readonly models: readonly ModelOverride[]
  /** The client's own name for the session that asks, where it tells its servers; it is meant when none is named. */
  readonly ownSession?: string | undefined
  /** Told of faults of ours; whoever called is told too. */
  onFault(fault: unknown): void
}
