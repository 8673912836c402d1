import { agentTools } from '../agent/tool-definitions.ts'
import type { CommandAnswers } from './command-answers.ts'
import { addIntent } from './edit-intent.ts'
import type { Hooks, HostClient, HostTool } from './host.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import { endedAnswer } from './request-receipts.ts'

export interface HookParts {
  readonly client: HostClient
  readonly answers: CommandAnswers
  readonly notices: Notices
  readonly parents: Parents
  readonly subAgents: boolean
  readonly editIntent: boolean
  /** Loads the part that does the work, once; null when the plugin is switched off. */
  load(): Promise<LoadedPlugin | null>
}

type Quietly = (what: string, work: () => unknown) => Promise<void>

/** The plugin's working part, which is loaded when it is first needed. */
interface Loading {
  readonly isLoading: () => boolean
  readonly loaded: () => Promise<LoadedPlugin | null>
}

/** Everything that OpenCode calls. A hook that fails does nothing. */
export function createHooks(parts: HookParts): Hooks {
  const { notices, load } = parts
  let hasBegun = false
  const loading: Loading = {
    isLoading: () => hasBegun,
    loaded() {
      hasBegun = true
      return load()
    },
  }
  const quietly: Quietly = async (what, work) => {
    try {
      await work()
    } catch (problem) {
      notices.problem(what, problem)
    }
  }
  return {
    tool: createTools(notices, loading.loaded),
    ...hostHooks(parts, loading, quietly),
    ...requestHooks(parts, loading, quietly),
    ...commandHooks(parts, loading, quietly),
  }
}

/** Configuration, events and the end of the host. */
function hostHooks(
  { answers, parents, subAgents }: HookParts,
  { isLoading, loaded }: Loading,
  quietly: Quietly,
): Pick<Hooks, 'config' | 'event' | 'dispose'> {
  return {
    config: (config) =>
      quietly('the commands cannot be offered', () => {
        answers.offer(config)
        if (subAgents) return
        const named = config.experimental?.primary_tools ?? []
        const own = agentTools.map(({ name }) => name)
        config.experimental = { ...config.experimental, primary_tools: [...named, ...own] }
      }),
    event: ({ event }) =>
      quietly('an event could not be read', async () => {
        parents.learn(event)
        const answer = isLoading() ? endedAnswer(event) : null
        if (answer !== null) await (await loaded())?.noteAnswer(answer)
      }),
    dispose: () =>
      quietly('the store cannot be closed', async () => {
        if (isLoading()) await (await loaded())?.close()
      }),
  }
}

type RequestHook =
  | 'experimental.chat.messages.transform'
  | 'experimental.session.compacting'
  | 'experimental.chat.system.transform'
  | 'tool.definition'

/** What the host asks before it sends a request to a model. */
function requestHooks(
  { editIntent }: HookParts,
  { loaded }: Loading,
  quietly: Quietly,
): Pick<Hooks, RequestHook> {
  /** The description and schema of each tool in the host's requests. */
  const toolTexts = new Map<string, { readonly description: string; readonly schema: unknown }>()
  let hasList = false
  return {
    'experimental.chat.messages.transform': (_input, { messages }) =>
      quietly('the messages were not changed', async () => {
        hasList = true
        await (await loaded())?.changeList(messages)
      }),
    'experimental.session.compacting': ({ sessionID }) =>
      quietly('a compaction was not noted', async () => {
        const began = Date.now()
        const plugin = await loaded()
        plugin?.expectSummary(sessionID, began)
      }),
    'experimental.chat.system.transform': ({ sessionID, model }, { system }) =>
      quietly('the model in use was not noted', async () => {
        // The first request of a process is for a title, which has no list.
        if (sessionID === undefined || !hasList) return
        const tools = [...toolTexts.values()].map(
          ({ description, schema }) => `${description}${JSON.stringify(schema) ?? ''}`,
        )
        const request = { sessionID, model, system: [...system], tools }
        await (await loaded())?.noteModel(request)
      }),
    'tool.definition': ({ toolID }, output) =>
      quietly('a tool cannot be described', () => {
        const own = agentTools.find(({ name }) => name === toolID)
        // The host takes only the properties from a plugin's tool and would require all of them.
        if (own !== undefined) output.jsonSchema = own.inputSchema
        if (editIntent) addIntent(toolID, output)
        toolTexts.set(toolID, { description: output.description, schema: output.jsonSchema })
      }),
  }
}

/** The user's messages and commands. */
function commandHooks(
  { client, answers }: HookParts,
  { isLoading, loaded }: Loading,
  quietly: Quietly,
): Pick<Hooks, 'chat.message' | 'chat.headers' | 'command.execute.before'> {
  return {
    'chat.message': (input, output) =>
      quietly('the model of a message cannot be kept', () => {
        // Loads our code while the host prepares the first list.
        if (!isLoading()) loaded().catch(() => {})
        return answers.keepModel(client, input, output)
      }),
    'chat.headers': (input, output) =>
      quietly('a command cannot be answered', () => answers.address(input, output)),
    'command.execute.before': ({ command, sessionID, arguments: words }, output) =>
      quietly('a command cannot be answered', async () => {
        if (!answers.isOurs(command)) return
        const plugin = await loaded()
        const text = await plugin?.runCommand(words, sessionID)
        answers.prepare(sessionID, text ?? 'Palimpsest is switched off.')
        output.parts.splice(0, Infinity, answers.question(command, words))
      }),
  }
}

/** The agent's tools in OpenCode's shape. A tool that fails answers so, and does not throw. */
function createTools(
  notices: Notices,
  loaded: () => Promise<LoadedPlugin | null>,
): Readonly<Record<string, HostTool>> {
  const tools = agentTools.map(({ name, description, inputSchema }): [string, HostTool] => [
    name,
    {
      description,
      args: (inputSchema.properties ?? {}) as Readonly<Record<string, unknown>>,
      async execute(args, { sessionID }) {
        try {
          const plugin = await loaded()
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
