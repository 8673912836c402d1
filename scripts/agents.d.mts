export interface Agent {
  readonly name: string
  readonly client: string
  readonly version: string
  readonly package: string
  readonly command: string
  /** The runtime of scripts/runtimes.mjs that it needs. */
  readonly runtime?: string
  readonly newest: boolean
}

export declare const agentsFolder: string
export declare const agents: readonly Agent[]
export declare function newestVersion(client: string): string
export declare function agentCommand(name: string): string | null
export declare function ripgrepFolder(): string | null
export declare function missingAgents(): readonly string[]
export declare function installAgents(options?: {
  readonly only?: readonly string[]
  readonly report?: (line: string) => void
}): Promise<void>
