import { PalimpsestError } from '../../src/core/words/errors.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../src/core/words/json.ts'

/** One entry of a task list. */
export interface TaskEntry {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/**
 * What the scripted model wants done, whoever the client is. It becomes a call of the tool that the client offers for
 * it, or a shell command when there is none. `raw` is a call as it stands, also of a tool that nobody offers.
 */
export type Operation =
  | {
      readonly kind: 'read'
      readonly path: string
      readonly offset?: number
      readonly limit?: number
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'bash'; readonly command: string }
  | { readonly kind: 'todo'; readonly items: readonly TaskEntry[] }
  | { readonly kind: 'grep'; readonly pattern: string; readonly path?: string }
  | { readonly kind: 'glob'; readonly pattern: string }
  /** Brings back the original behind the first placeholder of the request, as that says it is done. */
  | { readonly kind: 'restore' }
  /** A file is written by a call that has all arguments of the newest such call in the request. */
  | { readonly kind: 'imitate'; readonly path: string; readonly content: string }
  /** A tool of a server that the client knows, under whatever prefix; where it is not loaded yet, it is asked for. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: JsonObject }
  /** Reads a resource of a server that the client knows; nothing where it has no tool for that. */
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }
  | { readonly kind: 'raw'; readonly name: string; readonly input: JsonObject | string }

type OperationKind = Operation['kind']

/** An answer that is an error: the provider's envelope is made from the status and the message. */
export interface ErrorTurn {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Token figures that replace the simulated ones. `input` includes what the cache held. */
export interface UsageOverride {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** One answer of the model. */
export interface ModelTurn {
  readonly text?: string
  /** Sent in the provider's own shape, signed where the provider signs, when the request allows reasoning. */
  readonly reasoning?: string
  /** The reasoning comes without readable text, as the provider does for what it withholds (Anthropic only). */
  readonly redacted?: true
  readonly operations?: readonly Operation[]
  readonly usage?: UsageOverride
  readonly error?: ErrorTurn
}

/** An answer outside the order: for compaction prompts, sub-agents, titles. It uses up no turn. */
export interface SpecialTurn {
  /** Regular expression over the raw body. */
  readonly match?: string
  /** Regular expression over the first message that a user sent, as JSON. */
  readonly firstUser?: string
  /** Answered in order; the last one is repeated. */
  readonly turns: readonly ModelTurn[]
}

export interface Scenario {
  readonly turns: readonly ModelTurn[]
  readonly specials?: readonly SpecialTurn[]
  /** The answer to requests that offer no tools. When absent, they use up turns as all others do. */
  readonly aux?: string
  /** The answer once all turns are used up. */
  readonly last?: string
  /** Rules whose violations this provider lets pass. */
  readonly lenient?: readonly string[]
}

/** Reads a scenario from parsed JSON; `{project}` in any text becomes the project's folder. */
export function parseScenario(value: unknown, project = ''): Scenario {
  const filled: unknown = JSON.parse(
    JSON.stringify(value).replaceAll('{project}', JSON.stringify(project).slice(1, -1)),
  )
  if (!isJsonObject(filled) || !Array.isArray(filled.turns)) {
    throw new PalimpsestError('usage', 'a scenario is an object with a list of turns')
  }
  for (const [index, turn] of filled.turns.entries()) checkTurn(turn, `turns.${index}`)
  return filled as unknown as Scenario
}

const operationKinds: ReadonlySet<string> = new Set<OperationKind>([
  'read',
  'write',
  'edit',
  'bash',
  'todo',
  'grep',
  'glob',
  'restore',
  'tool',
  'resource',
  'raw',
])

function checkTurn(turn: unknown, where: string): void {
  if (!isJsonObject(turn)) throw new PalimpsestError('usage', `${where} is not an object`)
  for (const [index, operation] of arrayOf(turn.operations).entries()) {
    const kind = isJsonObject(operation) ? operation.kind : undefined
    if (typeof kind !== 'string' || !operationKinds.has(kind)) {
      throw new PalimpsestError('usage', `${where}.operations.${index} has no known kind`)
    }
  }
}
