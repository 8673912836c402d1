import { readFileSync } from 'node:fs'
import type { Rerouting } from './reroute.ts'
import type { TextChange } from './text-change.ts'

/** What an agent's set-up is read from. */
export interface UserSetup {
  /** The user's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export interface RunRequest extends UserSetup {
  readonly gateway: Rerouting
  /** The arguments that the user gave for the agent. */
  readonly args: readonly string[]
  /** The gateway's MCP server; null when it is not wanted. */
  readonly mcp: HttpServer | null
  /** A folder for files that this run needs. It is removed at the end. */
  readonly scratch: string
}

/** An MCP server that is reached over HTTP. */
export interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** How an agent is started for one run. Nothing of the user's is changed. */
export interface RunSetup {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files below `scratch`. */
  readonly files?: readonly { readonly path: string; readonly text: string }[]
  /** What the user should know, such as a login that does not pass the gateway. */
  readonly notes?: readonly string[]
}

export interface KeepRequest extends UserSetup {
  readonly gateway: Rerouting
  /** The command of `palimpsest mcp`, with its environment. */
  readonly mcp: CommandServer
}

/** An MCP server that the agent starts. */
export interface CommandServer {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface FileChange {
  readonly file: string
  readonly change: TextChange
}

/** How an agent is pointed at the gateway for good. */
export interface KeepSetup {
  readonly changes: readonly FileChange[]
  readonly notes?: readonly string[]
}

/** What is known about setting up one agent. */
export interface Agent {
  /** Its name on our command line, which is the name of its program. */
  readonly id: string
  readonly name: string
  /** Its name in receipts; see `clientFacts`. */
  readonly client: string
  /** How it is installed. */
  readonly install: string
  /** Its configuration folder. */
  folder(user: UserSetup): string
  run(request: RunRequest): RunSetup
  keep(request: KeepRequest): KeepSetup
}

/** The text of a file; empty when there is none. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw error
  }
}

/** The servers of a JSON configuration, as Claude Code, Gemini CLI and others have them. */
export const serversKey = 'mcpServers'
export const serverName = 'palimpsest'
