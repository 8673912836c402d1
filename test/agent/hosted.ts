import type { Hooks, HostClient, Toast } from '../../src/opencode/host.ts'
import { createPlugin } from '../../src/opencode/plugin.ts'

/** A plugin in a host that only keeps messages: it goes through the hooks in the order in which OpenCode does. */
export interface HostedPlugin {
  readonly hooks: Hooks
  readonly toasts: Toast[]
  readonly logs: string[]
  conversation(id: string): HostedConversation
}

export interface HostedConversation {
  readonly id: string
  /** What the host has in its database. */
  readonly stored: HostedMessage[]
  say(text: string): void
  /** The list that the model would get now: fresh from the database, and changed in place by the hook. */
  request(): Promise<readonly HostedMessage[]>
  /** An answer with one call of a tool of the host. */
  called(tool: string, input: object, output: string, status?: 'completed' | 'error'): void
  /** An answer that calls a tool of the plugin, which runs while its part is not completed. */
  calls(tool: string, input: object): Promise<string>
  answered(text: string): void
  /** The same messages under new ids, as a fork has them. */
  copy(id: string): HostedConversation
}

export interface HostedMessage {
  readonly info: Record<string, unknown>
  readonly parts: Record<string, unknown>[]
}

export interface HostedOptions {
  readonly directory?: string
  readonly given?: Readonly<Record<string, unknown>>
  readonly parents?: Readonly<Record<string, string>>
}

const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
const limits = { id: 'claude-sonnet-4-5', limit: { context: 200_000, output: 32_000 } }

export async function hostedPlugin(options: HostedOptions = {}): Promise<HostedPlugin> {
  const toasts: Toast[] = []
  const logs: string[] = []
  const conversations = new Map<string, HostedConversation>()
  const client: HostClient = {
    session: {
      get: async ({ path }) => ({ data: { id: path.id, parentID: options.parents?.[path.id] } }),
      messages: async ({ path }) => ({ data: conversations.get(path.id)?.stored ?? [] }),
    },
    config: {
      get: async () => ({ data: { model: 'anthropic/claude-sonnet-4-5' } }),
      providers: async () => ({ data: { default: {} } }),
    },
    tui: { showToast: async ({ body }) => toasts.push(body) },
    app: { log: async ({ body }) => logs.push(`${body.level} ${body.message}`) },
  }
  const directory = options.directory ?? '/project'
  const hooks = await createPlugin({ client, directory }, { store: 'memory:', ...options.given })
  return {
    hooks: hooks as Hooks,
    toasts,
    logs,
    conversation(id) {
      const known = conversations.get(id) ?? createConversation(id, hooks as Hooks)
      conversations.set(id, known)
      return known
    },
  }
}

function createConversation(
  id: string,
  hooks: Hooks,
  stored: HostedMessage[] = [],
): HostedConversation {
  let parts = 0
  const part = (messageID: string, rest: object): Record<string, unknown> => ({
    id: `prt_${id}_${parts++}`,
    sessionID: id,
    messageID,
    ...rest,
  })
  const add = (role: 'user' | 'assistant', contents: readonly object[]): void => {
    const messageID = `msg_${id}_${stored.length}`
    const time = { created: stored.length * 1000 }
    const info =
      role === 'user'
        ? { role, agent: 'build', model }
        : { role, agent: 'build', ...model, tokens: { input: 0, output: 0 } }
    const marks = role === 'user' ? [] : [{ type: 'step-start' }]
    stored.push({
      info: { id: messageID, sessionID: id, time, ...info },
      parts: [...marks, ...contents].map((each) => part(messageID, each)),
    })
  }
  const toolPart = (tool: string, input: object, output: string, status: string): object => ({
    type: 'tool',
    tool,
    callID: `call_${stored.length}`,
    state: {
      status,
      input,
      ...(status === 'error' ? { error: output } : { output }),
      time: { start: 0, end: 1 },
    },
  })
  return {
    id,
    stored,
    say: (text) => add('user', [{ type: 'text', text }]),
    async request() {
      const messages: unknown[] = structuredClone(stored)
      await hooks['experimental.chat.messages.transform']({}, { messages })
      const input = { sessionID: id, model: limits }
      await hooks['experimental.chat.system.transform'](input, { system: ['You are an agent.'] })
      return messages as HostedMessage[]
    },
    called: (tool, input, output, status = 'completed') =>
      add('assistant', [toolPart(tool, input, output, status)]),
    async calls(tool, input) {
      const output = await hooks.tool[tool]!.execute(input, { sessionID: id })
      add('assistant', [toolPart(tool, input, output, 'completed')])
      return output
    },
    answered: (text) => add('assistant', [{ type: 'text', text }]),
    copy(other) {
      const renamed = JSON.parse(
        JSON.stringify(stored)
          .replaceAll(`_${id}_`, `_${other}_`)
          .replaceAll(`"${id}"`, `"${other}"`),
      ) as HostedMessage[]
      return createConversation(other, hooks, renamed)
    },
  }
}

/** All that a list says, in its order. */
export function saidIn(list: readonly HostedMessage[]): readonly string[] {
  return list.flatMap(({ parts }) =>
    parts.flatMap(({ type, text, state }) => {
      if (type === 'tool') return [toolText(state)]
      return typeof text === 'string' ? [text] : []
    }),
  )
}

function toolText(state: unknown): string {
  const { input, output, error } = state as { input: unknown; output?: string; error?: string }
  return `${JSON.stringify(input)} → ${output ?? error}`
}
