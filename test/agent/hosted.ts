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
  /** Later messages are for this model. */
  use(model: HostedModel): void
  /** A command of the plugin with its answer, as the host keeps them. */
  commanded(words: string): Promise<void>
  /**
   * Summarises all but the last turns of the user, as the host does: the hook, the list for the summary, and then a
   * conversation of the summary and the kept turns. Gives the list for the summary.
   */
  compact(keptTurns: number): Promise<readonly HostedMessage[]>
  /** The same messages under new ids, as a fork has them. */
  copy(id: string): HostedConversation
}

export interface HostedMessage {
  readonly info: Record<string, unknown>
  readonly parts: Record<string, unknown>[]
}

export interface HostedModel {
  readonly providerID: string
  readonly modelID: string
}

export interface HostedOptions {
  readonly directory?: string
  readonly given?: Readonly<Record<string, unknown>>
  readonly parents?: Readonly<Record<string, string>>
}

const usual: HostedModel = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
const ours: HostedModel = { providerID: 'palimpsest', modelID: 'commands' }
const limit = { context: 200_000, output: 32_000 }

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
  let model = usual
  const nextNumber = (): number =>
    1 + Math.max(-1, ...stored.map(({ info }) => Number(String(info.id).split('_').at(-1))))
  const add = (role: 'user' | 'assistant', contents: readonly object[], more = {}): void => {
    const number = nextNumber()
    const messageID = `msg_${id}_${number}`
    const time = { created: Date.now() }
    const info =
      role === 'user'
        ? { role, agent: 'build', model }
        : { role, agent: 'build', ...model, tokens: { input: 0, output: 0 } }
    const marks = role === 'user' ? [] : [{ type: 'step-start' }]
    stored.push({
      info: { id: messageID, sessionID: id, time, ...info, ...more },
      parts: [...marks, ...contents].map((each, at) => ({
        id: `prt_${id}_${number}_${at}`,
        sessionID: id,
        messageID,
        ...each,
      })),
    })
  }
  const toolPart = (tool: string, input: object, output: string, status: string): object => ({
    type: 'tool',
    tool,
    callID: `call_${nextNumber()}`,
    state: {
      status,
      input,
      ...(status === 'error' ? { error: output } : { output }),
      time: { start: 0, end: 1 },
    },
  })
  const list = async (from: readonly HostedMessage[]): Promise<readonly HostedMessage[]> => {
    const messages: unknown[] = structuredClone([...from])
    await hooks['experimental.chat.messages.transform']({}, { messages })
    return messages as HostedMessage[]
  }
  return {
    id,
    stored,
    say: (text) => add('user', [{ type: 'text', text }]),
    async request() {
      const messages = await list(stored)
      const input = { sessionID: id, model: { id: model.modelID, limit } }
      await hooks['experimental.chat.system.transform'](input, { system: ['You are an agent.'] })
      return messages
    },
    called: (tool, input, output, status = 'completed') =>
      add('assistant', [toolPart(tool, input, output, status)]),
    async calls(tool, input) {
      const output = await hooks.tool[tool]!.execute(input, { sessionID: id })
      add('assistant', [toolPart(tool, input, output, 'completed')])
      return output
    },
    answered: (text) => add('assistant', [{ type: 'text', text }]),
    use(other) {
      model = other
    },
    async commanded(words) {
      const text = `/acp ${words}`
      add('user', [{ type: 'text', text, synthetic: true }], { model: ours })
      await list(stored)
      add('assistant', [{ type: 'text', text: `What ${text} says.` }], ours)
    },
    async compact(keptTurns) {
      const starts = stored.flatMap(({ info }, at) => (info.role === 'user' ? [at] : []))
      const head = stored.slice(0, keptTurns === 0 ? stored.length : (starts.at(-keptTurns) ?? 0))
      const tail = stored.slice(head.length)
      add('user', [{ type: 'compaction', auto: false }])
      const [question] = stored.slice(-1)
      await hooks['experimental.session.compacting']({ sessionID: id })
      const summary = await list(head)
      add('assistant', [{ type: 'text', text: 'The summary.' }], { summary: true, finish: 'stop' })
      stored.splice(0, Number.POSITIVE_INFINITY, question!, stored.at(-1)!, ...tail)
      // The host's next message is younger, because a model has written the summary in between.
      await new Promise((resolve) => setTimeout(resolve, 2))
      return summary
    },
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
