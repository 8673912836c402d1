/**
 * The part of OpenCode's plugin interface that is used here. OpenCode's own package is not a dependency. Values from the
 * host are `unknown` until their shape is checked.
 */
export interface HostContext {
  readonly client: HostClient
  readonly directory: string
  readonly worktree?: string
}

export interface HostClient {
  readonly session: {
    get(request: { readonly path: { readonly id: string } }): Promise<{ readonly data?: unknown }>
    messages(request: {
      readonly path: { readonly id: string }
    }): Promise<{ readonly data?: unknown }>
  }
  readonly config: {
    get(): Promise<{ readonly data?: unknown }>
    providers(): Promise<{ readonly data?: unknown }>
  }
  readonly tui: {
    showToast(request: { readonly body: Toast }): Promise<unknown>
  }
  readonly app: {
    log(request: { readonly body: LogEntry }): Promise<unknown>
  }
}

export interface Toast {
  readonly title?: string
  readonly message: string
  readonly variant: 'info' | 'success' | 'warning' | 'error'
  readonly duration?: number
}

export interface LogEntry {
  readonly service: string
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly extra?: Readonly<Record<string, unknown>>
}

export interface ToolContext {
  readonly sessionID: string
  readonly callID?: string
}

export interface HostTool {
  readonly description: string
  readonly args: Readonly<Record<string, unknown>>
  execute(args: unknown, context: ToolContext): Promise<string>
}

/** The configuration that the host lets plugins change before it uses it. */
export interface HostConfig {
  command?: Record<string, unknown>
  provider?: Record<string, unknown>
  experimental?: { primary_tools?: string[] }
}

export interface Hooks {
  config(config: HostConfig): Promise<void> | void
  event(input: { readonly event: unknown }): Promise<void> | void
  dispose(): Promise<void> | void
  readonly tool: Readonly<Record<string, HostTool>>
  'experimental.chat.messages.transform'(
    input: unknown,
    output: { messages: unknown[] },
  ): Promise<void> | void
  'experimental.chat.system.transform'(
    input: { readonly sessionID?: string; readonly model?: unknown },
    output: { system: string[] },
  ): Promise<void> | void
  'experimental.session.compacting'(input: { readonly sessionID: string }): Promise<void> | void
  'chat.message'(
    input: { readonly sessionID: string; readonly model?: unknown },
    output: { message: unknown; parts: unknown[] },
  ): Promise<void> | void
  'chat.headers'(
    input: { readonly sessionID?: string; readonly model?: unknown },
    output: { headers: Record<string, string> },
  ): Promise<void> | void
  'tool.definition'(
    input: { readonly toolID: string },
    output: { description: string; parameters: unknown; jsonSchema?: unknown },
  ): Promise<void> | void
  'command.execute.before'(
    input: { readonly command: string; readonly sessionID: string; readonly arguments: string },
    output: { parts: unknown[] },
  ): Promise<void> | void
}
