import { createEngineMaker } from '../config/engine-maker.ts'
import { createCalibration } from '../core/record/calibration.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import { isJsonObject } from '../core/words/json.ts'
import { openStore } from '../store/open-store.ts'
import type { ChosenSettings } from './chosen-settings.ts'
import { runCommand } from './commands.ts'
import { createConversations } from './conversations.ts'
import type { HostContext } from './host.ts'
import { createListHook } from './list-hook.ts'
import { createManualMode } from './manual-mode.ts'
import { createMemoryMessages } from './memory-messages.ts'
import { contextLimitOf, modelReceipt } from './model-in-use.ts'
import type { Notices } from './notices.ts'
import type { Parents } from './parents.ts'
import type { SavedConversation } from './saved-conversation.ts'
import { createToolRuns, type ToolRun } from './tools.ts'

/** The part of the plugin that does the work; it is loaded when there is some. */
export interface LoadedPlugin {
  changeList(messages: unknown[]): Promise<void> | void
  /** The lists of the conversation only go into a summary, until one has a message newer than this. */
  expectSummary(sessionID: string, began: number): void
  readonly runTool: ToolRun
  runCommand(words: string, sessionID: string): Promise<string>
  /** What the host is about to send besides the messages, and to which model. */
  hearModel(request: ModelRequest): Promise<void> | void
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
  readonly chosen: ChosenSettings
  readonly notices: Notices
  readonly parents: Parents
}

export function loadPlugin({ context, chosen, notices, parents }: LoadOptions): LoadedPlugin {
  const { options } = chosen
  const manual = createManualMode(chosen.settings)
  const { settings } = manual
  const conversations = createConversations({
    maker: createEngineMaker(options.config, {
      settings,
      bindsUnknown: false,
      // The plugin registers it itself.
      restore: { tool: 'context_restore' },
    }),
    calibration: createCalibration(),
    directory: context.directory,
    openStore: async () => {
      try {
        return await openStore(options.store)
      } catch (problem) {
        notices.problem('the store cannot be opened; nothing outlives this process', problem)
        return null
      }
    },
    parentOf: parents.of,
    onProblem: notices.problem,
  })
  conversations.openAhead()
  const compacting = new Map<string, number>()
  const sizes = createSizes()
  const { inject = false, budgetTokens } = options.config.memory ?? {}
  const { directory } = context
  const memory = inject
    ? createMemoryMessages({ store: options.store, directory, budgetTokens })
    : null
  const parts = { options, settings, manual, conversations, parents, notices, compacting, memory }

  function hear({ model, system, tools }: ModelRequest, saved: SavedConversation): void {
    const { conversation } = saved
    // The host asks small models for titles in the same conversation.
    if (!isModel(model, conversation.modelName)) return
    const texts = [...system, ...tools]
    const prefixTokens = texts.reduce((sum, text) => sum + sizes.of(text), 0)
    const contextLimit = contextLimitOf(model, settings, options.config.models)
    const before = conversation.model
    conversation.model = { contextLimit, prefixTokens }
    if (before.contextLimit === contextLimit && before.prefixTokens === prefixTokens) return
    saved.saveSoon({ receipts: [modelReceipt(conversation.model)] })
  }

  return {
    changeList: createListHook(parts),
    expectSummary: (sessionID, began) => {
      compacting.set(sessionID, began)
    },
    runTool: createToolRuns(parts),
    runCommand: (words, sessionID) => runCommand(words, sessionID, parts),
    hearModel(request) {
      const ready = conversations.atHand(request.sessionID)
      if (ready !== null) return hear(request, ready)
      return conversations
        .known(request.sessionID)
        .then((known) => (known === null ? undefined : hear(request, known)))
    },
    async close() {
      memory?.close()
      await conversations.close()
    },
  }
}

/** The same few texts come with every request. */
function createSizes(): { of(text: string): number } {
  const known = new Map<string, number>()
  return {
    of(text) {
      const size = known.get(text) ?? estimateTokens(text)
      if (known.size >= mostTexts) known.clear()
      known.set(text, size)
      return size
    },
  }
}

const mostTexts = 200

function isModel(model: unknown, name: string | null): boolean {
  return name === null || !isJsonObject(model) || model.id === undefined || model.id === name
}
