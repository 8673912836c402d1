import { pathToFileURL } from 'node:url'
import type { HostedSession, Pruner } from './host.ts'

type Hook = (input: object, output: object) => Promise<unknown>

/** The published DCP plugin, loaded from its entry file, with OpenCode's client calls. */
export async function dcp(entry: string): Promise<Pruner> {
  const module: unknown = await import(pathToFileURL(entry).href)
  const server = memberOf(module, 'default')
  if (typeof server !== 'function') throw new Error(`${entry} exports no plugin`)
  return {
    name: 'opencode-dcp',
    async open(sessionId) {
      const hooks: unknown = await server({
        client: createClient(sessionId),
        project: { id: 'project', worktree: '/project' },
        worktree: '/project',
        directory: '/project',
        serverUrl: new URL('http://127.0.0.1:9'),
        $: () => Promise.resolve(),
      })
      return hosted(sessionId, {
        messages: hookOf(hooks, 'experimental.chat.messages.transform'),
        system: hookOf(hooks, 'experimental.chat.system.transform'),
      })
    },
  }
}

/** Before each call OpenCode runs these two hooks, in this order. */
function hosted(
  sessionID: string,
  hooks: { readonly messages: Hook; readonly system: Hook },
): HostedSession {
  return {
    async beforeRequest(messages) {
      await hooks.messages({}, { messages })
      const model = { limit: { context: 200_000, output: 32_000 } }
      await hooks.system({ sessionID, model }, { system: ['You are a coding agent.'] })
    },
  }
}

/** Answers immediately, so that the host's database and interface are not measured. */
function createClient(id: string): object {
  const answer = (data: unknown) => async (): Promise<object> => ({ data })
  return {
    session: { get: answer({ id }), messages: answer([]), prompt: answer({}), update: answer({}) },
    tui: { showToast: answer(true) },
    app: { log: answer(true) },
    config: { get: answer({}), providers: answer({ providers: [], default: {} }) },
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function hookOf(hooks: unknown, name: string): Hook {
  const hook = memberOf(hooks, name)
  if (typeof hook !== 'function') throw new Error(`the plugin has no ${name}`)
  return async (input, output) => hook(input, output)
}
