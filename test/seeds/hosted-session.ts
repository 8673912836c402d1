import type { Hooks, Toast } from '../../src/opencode/host.ts'
import { type HostedConversation, hostedPlugin, saidIn } from '../agent/hosted.ts'

/** A conversation of the plugin in a host, with what its log and its commands say. */
export interface HostedSession {
  readonly conversation: HostedConversation
  readonly hooks: Hooks
  readonly logs: readonly string[]
  readonly toasts: readonly Toast[]
  /** One more call of a tool, after a request. */
  call(tool: string, input: object, output: string): Promise<void>
  /** Requests without a call. */
  idle(turns: number): Promise<void>
  /** All that the next request says. */
  shown(): Promise<readonly string[]>
  /** What `context_prune` answers to this action on the item that the next request shows with these words. */
  prune(action: 'discard' | 'distill', words: string, summary?: string): Promise<string>
  command(words: string): Promise<string>
}

export async function hostedSession(
  given: Readonly<Record<string, unknown>>,
): Promise<HostedSession> {
  const { conversation: open, hooks, logs, toasts } = await hostedPlugin({ given })
  const conversation = open('s1')
  conversation.say('Work on it.')
  return {
    conversation,
    hooks,
    logs,
    toasts,
    async call(tool, input, output) {
      await conversation.request()
      conversation.called(tool, input, output)
    },
    async idle(turns) {
      for (let turn = 0; turn < turns; turn++) {
        await conversation.request()
        conversation.answered(`Step ${turn}.`)
      }
    },
    async shown() {
      const said = saidIn(await conversation.request())
      await new Promise((resolve) => setImmediate(resolve))
      return said
    },
    async prune(action, words, summary) {
      const said = saidIn(await conversation.request()).find((text) => text.includes(words))
      const target = [handleOf(said), ...(summary === undefined ? [] : [summary])]
      return conversation.calls('context_prune', { action, targets: [target] })
    },
    async command(words) {
      const output = { parts: [] as unknown[] }
      const asked = { command: 'acp', sessionID: 's1', arguments: words }
      await hooks['command.execute.before'](asked, output as never)
      const config: { provider?: Record<string, { options: { fetch: typeof fetch } }> } = {}
      await hooks.config(config as never)
      const { fetch: answer } = config.provider!.palimpsest!.options
      const response = await answer('', { headers: { 'x-palimpsest-session': 's1' } })
      const [, first = ''] = /data: (\{.*\})/.exec(await response.text()) ?? []
      return String(JSON.parse(first).choices[0].delta.content)
    },
  }
}

export const handleOf = (text: string | undefined): string =>
  /\b[0-9a-f]{6}\b/.exec(text ?? '')?.[0] ?? ''

/** Reasoning as models send it that give it back as text; with a signature, as Anthropic's do. */
export async function think(
  session: HostedSession,
  text: string,
  signature?: string,
): Promise<void> {
  await session.conversation.request()
  session.conversation.answered('Go on.')
  const { parts } = session.conversation.stored.at(-1)!
  const { sessionID, messageID, id } = parts[0]!
  const metadata = signature === undefined ? {} : { metadata: { anthropic: { signature } } }
  // Behind the mark of the step, and before the words.
  parts.splice(1, 0, { id: `${id}r`, sessionID, messageID, type: 'reasoning', text, ...metadata })
}
