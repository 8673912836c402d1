import { agentTools } from '../agent/tool-definitions.ts'
import type { CommandAnswers } from './command-answers.ts'
import { addIntent } from './edit-intent.ts'
import type { Hooks, HostClient, HostTool } from './host.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'

export interface HookParts {
  readonly client: HostClient
  readonly answers: CommandAnswers
  readonly notices: Notices
  readonly parents: Parents
  readonly subAgents: boolean
  readonly editIntent: boolean
  /** The part that does the work; null when there is nothing to be done. */
  load(): Promise<LoadedPlugin | null>
}

/** Everything that OpenCode calls. Each of them fails by doing nothing. */
export function createHooks(parts: HookParts): Hooks {
  const { client, answers, notices, parents, load } = parts
  /** What the host tells the model about each tool. */
  const toolTexts = new Map<string, { readonly description: string; readonly schema: unknown }>()
  let loaded: LoadedPlugin | null | undefined
  let isAsked = false
  let hasList = false
  const loading = async (): Promise<LoadedPlugin | null> => {
    isAsked = true
    loaded = await load()
    return loaded
  }
  /** The host does other work whenever a hook lets it: what can be done at once is done at once. */
  const withLoaded = (
    work: (plugin: LoadedPlugin) => Promise<void> | void,
  ): Promise<void> | void => {
    if (loaded === undefined)
      return loading().then((plugin) => (plugin === null ? undefined : work(plugin)))
    return loaded === null ? undefined : work(loaded)
  }
  const quietly = (what: string, work: () => Promise<unknown> | unknown): Promise<void> | void => {
    const report = (problem: unknown): void => notices.problem(what, problem)
    try {
      const result = work()
      if (result instanceof Promise) return result.then(() => {}, report)
    } catch (problem) {
      report(problem)
    }
  }
  return {
    tool: createTools(notices, loading),
    config: (config) =>
      quietly('the commands cannot be offered', () => {
        answers.offer(config)
        if (parts.subAgents) return
        const named = config.experimental?.primary_tools ?? []
        const own = agentTools.map(({ name }) => name)
        config.experimental = { ...config.experimental, primary_tools: [...named, ...own] }
      }),
    event: ({ event }) => quietly('an event was not understood', () => parents.hear(event)),
    dispose: () =>
      quietly('the store cannot be closed', () => {
        if (isAsked) return withLoaded((plugin) => plugin.close())
      }),
    'experimental.chat.messages.transform': (_input, { messages }) =>
      quietly('the messages stay as they are', () => {
        hasList = true
        return withLoaded((plugin) => plugin.changeList(messages))
      }),
    'experimental.session.compacting': ({ sessionID }) =>
      quietly('a compaction was not expected', () => {
        const began = Date.now()
        return withLoaded((plugin) => plugin.expectSummary(sessionID, began))
      }),
    'experimental.chat.system.transform': ({ sessionID, model }, { system }) =>
      quietly('the model in use is not known', () => {
        // The first request of a process is for a title, which has no list.
        if (sessionID === undefined || !hasList) return
        const tools = [...toolTexts.values()].map(
          ({ description, schema }) => `${description}${JSON.stringify(schema) ?? ''}`,
        )
        const request = { sessionID, model, system: [...system], tools }
        return withLoaded((plugin) => plugin.hearModel(request))
      }),
    'chat.message': (input, output) =>
      quietly('the model of a message cannot be kept', () => {
        // The host has a while to itself until the first list: nobody waits for our code then.
        if (!isAsked) loading().catch(() => {})
        return answers.keepModel(client, input, output)
      }),
    'chat.headers': (input, output) =>
      quietly('a command cannot be answered', () => answers.address(input, output)),
    'tool.definition': ({ toolID }, output) =>
      quietly('a tool cannot be described', () => {
        const own = agentTools.find(({ name }) => name === toolID)
        // The host takes only the properties of a plugin's tool, and would require all of them.
        if (own !== undefined) output.jsonSchema = own.inputSchema
        if (parts.editIntent) addIntent(toolID, output)
        toolTexts.set(toolID, { description: output.description, schema: output.jsonSchema })
      }),
    'command.execute.before': ({ command, sessionID, arguments: words }, output) =>
      quietly('a command cannot be answered', async () => {
        if (!answers.isOurs(command)) return
        const plugin = await loading()
        const text = await plugin?.runCommand(words, sessionID)
        answers.prepare(sessionID, text ?? 'Palimpsest is switched off.')
        output.parts.splice(0, Infinity, answers.question(command, words))
      }),
  }
}

/** The agent's tools as OpenCode takes them. What goes wrong is an answer, not an exception. */
function createTools(
  notices: Notices,
  loading: () => Promise<LoadedPlugin | null>,
): Readonly<Record<string, HostTool>> {
  const tools = agentTools.map(({ name, description, inputSchema }): [string, HostTool] => [
    name,
    {
      description,
      args: (inputSchema.properties ?? {}) as Readonly<Record<string, unknown>>,
      async execute(args, { sessionID }) {
        try {
          const plugin = await loading()
          return (await plugin?.runTool(name, args, sessionID)) ?? 'Palimpsest is switched off.'
        } catch (problem) {
          notices.problem(`${name} failed`, problem)
          return `${name} failed; the context is as it was.`
        }
      },
    },
  ])
  return Object.fromEntries(tools)
}
