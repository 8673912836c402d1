import type { BodyFormatName } from '../../src/formats/format.ts'
import type { PlannedFile } from './plan.ts'

/** Where a client runs. */
export interface ClientPlace {
  /** The client's program. */
  readonly command: string
  readonly home: string
  readonly project: string
  /** A server of tools that it is to know by the name `palimpsest`. */
  readonly mcp?: McpServer
}

export type McpServer =
  | {
      readonly kind: 'stdio'
      readonly command: readonly [program: string, ...args: string[]]
      readonly environment: Readonly<Record<string, string>>
    }
  | { readonly kind: 'http'; readonly url: string }

/** How a client is told about the model and about its task. */
export interface ClientSetup {
  readonly files: readonly PlannedFile[]
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** A real agent with one of the wire formats that it speaks. */
export interface Client {
  readonly name: string
  /** Its name in scripts/agents.mjs. */
  readonly agent: string
  readonly format: BodyFormatName
  setUp(place: ClientPlace, prompt: string): ClientSetup
  /** The same for a prompt that goes on with the last session in this place. */
  resume?(place: ClientPlace, prompt: string): ClientSetup
  /** The file in which the client itself recorded its last session; null when there is none. */
  recording?(place: ClientPlace): string | null
}
