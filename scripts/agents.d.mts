export interface Agent {
  readonly name: string
  readonly package: string
  readonly command: string
}

export declare const agentsFolder: string
export declare const agents: readonly Agent[]
export declare function agentCommand(name: string): string | null
export declare function ripgrepFolder(): string | null
export declare function missingAgents(): readonly string[]
export declare function installAgents(options?: {
  readonly only?: readonly string[]
  readonly report?: (line: string) => void
}): Promise<void>
