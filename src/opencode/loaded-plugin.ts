import { createEngineMaker } from '../config/engine-maker.ts'
import { createCalibration } from '../core/record/calibration.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import { createListener, type Listener } from '../memory/listen/listener.ts'
import { type Environment, openEnvironment } from '../session/environment.ts'
import { isLearning } from '../session/learning.ts'
import { runCommand } from './commands.ts'
import type { Conversation } from './conversation.ts'
import { Conversations } from './conversations.ts'
import type { HostContext } from './host.ts'
import { ListHook } from './list-hook.ts'
import { createManualMode } from './manual-mode.ts'
import { createMemoryMessages } from './memory-messages.ts'
import { contextLimitOf, modelReceipt } from './model-in-use.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import type { PluginSetup } from './plugin-setup.ts'
import type { EndedAnswer } from './request-receipts.ts'
import { createToolRuns, type ToolRun } from './tools.ts'

/** The part of the plugin that does the work. It is loaded with the first request. */
export interface LoadedPlugin {
  changeList(messages: unknown[]): Promise<void>
  /** The conversation's lists only go into a summary, until one has a message newer than this. */
  expectSummary(sessionID: string, began: number): void
  readonly runTool: ToolRun
  runCommand(words: string, sessionID: string): Promise<string>
  /** Takes note of what the host is about to send besides the messages, and to which model. */
  noteModel(request: ModelRequest): Promise<void>
  /** Takes note of the usage of an answer. */
  noteAnswer(answer: EndedAnswer): Promise<void>
  close(): Promise<void>
}

export interface ModelRequest {
  readonly sessionID: string
  readonly model: unknown
  readonly system: readonly string[]
  readonly tools: Iterable<string>
}

export interface LoadOptions {
  readonly context: HostContext
  readonly setup: PluginSetup
  readonly notices: Notices
  readonly parents: Parents
}

export function loadPlugin(options: LoadOptions): LoadedPlugin {
  const { setup, notices, parents } = options
  const { config } = setup
  const { directory } = options.context
  const environment = openEnvironment(setup)
  const manual = createManualMode(setup.settings)
  const { settings } = manual
  const conversations = createConversations(options, settings, environment)
  const compacting = new Map<string, number>()
  const { inject = false, budgetTokens } = config.memory ?? {}
  const memory = inject
    ? createMemoryMessages({ memory: environment.memory, directory, budgetTokens })
    : null
  const listener = isLearning(setup) ? createPluginListener(notices, environment) : null
  const { subAgents = true } = config
  const shared = { subAgents, settings, manual, conversations, parents, notices, compacting }
  const parts = { ...shared, memory, listener, directory }
  const listHook = new ListHook(parts)

  function noteModel(conversation: Conversation, { model, system, tools }: ModelRequest): void {
    // The host asks small models for titles in the same conversation.
    if (!isModel(model, conversation.modelName)) return
    const tokensIn = (texts: Iterable<string>): number =>
      [...texts].reduce((sum, text) => sum + estimateTokens(text), 0)
    const toolTokens = tokensIn(tools)
    const prefixTokens = tokensIn(system) + toolTokens
    const contextLimit = contextLimitOf(model, settings, config.models)
    const before = conversation.model
    conversation.model = { contextLimit, prefixTokens, toolTokens }
    if (before.contextLimit === contextLimit && before.prefixTokens === prefixTokens) return
    conversation.saveSoon({ receipts: [modelReceipt(conversation.model)] })
  }

  return {
    changeList: (messages) => listHook.change(messages),
    expectSummary: (sessionID, began) => {
      compacting.set(sessionID, began)
    },
    runTool: createToolRuns(parts),
    runCommand: (words, sessionID) => runCommand(words, sessionID, parts),
    async noteModel(request) {
      const conversation = await conversations.known(request.sessionID)
      if (conversation !== null) noteModel(conversation, request)
    },
    async noteAnswer(answer) {
      const conversation = await conversations.known(answer.session)
      conversation?.noteAnswer(answer)
    },
    async close() {
      await listener?.settle()
      await conversations.close()
      await environment.close()
    },
  }
}

function createConversations(
  { context, setup, notices, parents }: LoadOptions,
  settings: Settings,
  { store }: Environment,
): Conversations {
  return new Conversations({
    maker: createEngineMaker(setup.config, {
      settings,
      bindsUnknown: false,
      // The plugin registers this tool itself.
      restore: { tool: 'context_restore' },
    }),
    calibration: createCalibration(),
    directory: context.directory,
    store: store.open().catch((problem) => {
      notices.problem('the store cannot be opened; sessions are lost when OpenCode ends', problem)
      return null
    }),
    parentOf: parents.of,
    onProblem: notices.problem,
  })
}

function createPluginListener(notices: Notices, { memory }: Environment): Listener {
  return createListener({
    use: memory.use,
    onChange: notices.toast,
    onFault: (problem) => notices.problem('the memory did not read a message', problem),
  })
}

function isModel(model: unknown, name: string | null): boolean {
  return name === null || !isJsonObject(model) || model.id === undefined || model.id === name
}
