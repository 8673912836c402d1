import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import type { HostClient, HostConfig } from './host.ts'
import { providerName } from './message-facts.ts'
import { usualModel } from './usual-model.ts'

const modelName = 'commands'
const sessionHeader = 'x-palimpsest-session'
const commandNames: readonly string[] = ['palimpsest', 'acp']

/**
 * Answers commands. The host turns every command into a prompt, and only a model can answer a prompt, so the commands name
 * a model of ours that returns the prepared text. The exchange is left out of every later request.
 */
export interface CommandAnswers {
  isOurs(command: string): boolean
  offer(config: HostConfig): void
  /** Sets the answer to the command that a conversation is about to send. */
  prepare(sessionID: string, text: string): void
  /** The message that stands for the command in the conversation. */
  question(command: string, words: string): JsonObject
  /** Adds the header that names the asking conversation. */
  address(
    input: { readonly sessionID?: string; readonly model?: unknown },
    output: { headers: Record<string, string> },
  ): void
  /** Gives a message after a command the model that was in use before it. */
  keepModel(
    client: HostClient,
    input: { readonly sessionID: string },
    output: { readonly message: unknown },
  ): Promise<void>
}

export function createAnswers(): CommandAnswers {
  const prepared = new Map<string, string>()
  const asking = new Set<string>()

  async function answer(_url: unknown, init?: { readonly headers?: unknown }): Promise<Response> {
    const session = new Headers(init?.headers as Record<string, string>).get(sessionHeader) ?? ''
    const text = prepared.get(session) ?? 'Nothing was asked: /palimpsest lists the commands.'
    prepared.delete(session)
    return new Response(streamed(text), { headers: { 'content-type': 'text/event-stream' } })
  }

  return {
    isOurs: (command) => commandNames.includes(command),
    offer(config) {
      config.provider = { ...config.provider, [providerName]: provider(answer) }
      const commands = commandNames.map((name) => [
        name,
        {
          template: `/${name} $ARGUMENTS`,
          description: 'Context: stats, context, list, restore, prune, sweep, manual, explain',
          model: `${providerName}/${modelName}`,
        },
      ])
      config.command = { ...Object.fromEntries(commands), ...config.command }
    },
    prepare(sessionID, text) {
      prepared.set(sessionID, fenced(text))
      asking.add(sessionID)
    },
    // The host asks no model for a title of a synthetic message.
    question: (command, words) => ({
      type: 'text',
      text: `/${command} ${words}`.trim(),
      synthetic: true,
    }),
    address({ sessionID, model }, { headers }) {
      const { providerID } = isJsonObject(model) ? model : {}
      if (sessionID !== undefined && providerID === providerName) headers[sessionHeader] = sessionID
    },
    async keepModel(client, { sessionID }, { message }) {
      if (asking.delete(sessionID) || !isJsonObject(message)) return
      const { model } = message
      if (!isJsonObject(model) || model.providerID !== providerName) return
      const usual = await usualModel(client, sessionID)
      if (usual !== null) (message as Record<string, unknown>).model = usual
    },
  }
}

/** The host shows answers as Markdown, which would strike text through at `~` and break tables. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

function provider(answer: unknown): JsonObject {
  return {
    npm: '@ai-sdk/openai-compatible',
    name: 'Palimpsest (answers /palimpsest)',
    options: { baseURL: 'http://127.0.0.1:9/v1', apiKey: 'none', fetch: answer },
    models: {
      [modelName]: {
        name: 'Commands',
        tool_call: true,
        limit: { context: 1_000_000, output: 32_000 },
        cost: { input: 0, output: 0 },
      },
    },
  }
}

/** The answer as a stream of the Chat Completions API, all at once. */
function streamed(text: string): string {
  const chunk = (delta: JsonObject, finish: string | null, rest: JsonObject = {}): string =>
    `data: ${JSON.stringify({
      id: 'palimpsest',
      object: 'chat.completion.chunk',
      created: 0,
      model: modelName,
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...rest,
    })}\n\n`
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  return [
    chunk({ role: 'assistant', content: text }, null),
    chunk({}, 'stop', { usage }),
    'data: [DONE]\n\n',
  ].join('')
}
