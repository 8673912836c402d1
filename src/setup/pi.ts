import path from 'node:path'
import { type Agent, textOf, type UserSetup } from './agent.ts'
import { jsonAt } from './json-edit.ts'
import { jsonChange, namesIn } from './json-settings.ts'
import type { Rerouting } from './reroute.ts'

/** Providers that Pi knows by itself and that the gateway can serve, with the end of their address. */
const builtIn = { anthropic: '', openai: '/v1', google: '/v1beta' } as const

/** An extension that lives as long as the run sets addresses; for good they stand in `models.json`. Pi has no MCP. */
export const pi: Agent = {
  id: 'pi',
  name: 'Pi',
  client: 'pi',
  install: 'npm install -g @earendil-works/pi-coding-agent',
  folder,
  run({ gateway, args, scratch, ...user }) {
    const file = path.join(scratch, 'palimpsest-extension.mjs')
    const calls = Object.entries(basesOf(user, gateway)).map(
      ([id, baseUrl]) =>
        `  pi.registerProvider(${JSON.stringify(id)}, ${JSON.stringify({ baseUrl })})`,
    )
    const text = ['export default function (pi) {', ...calls, '}', ''].join('\n')
    return { env: {}, args: ['-e', file, ...args], files: [{ path: file, text }] }
  },
  keep({ gateway, ...user }) {
    const values = Object.entries(basesOf(user, gateway)).map(([id, value]) => ({
      path: ['providers', id, 'baseUrl'],
      value,
    }))
    return { changes: [jsonChange(modelsFile(user), values)] }
  },
}

function folder({ env, home }: UserSetup): string {
  const chosen = env.PI_CODING_AGENT_DIR
  return chosen ? chosen.replace(/^~(?=\/|$)/, home) : path.join(home, '.pi', 'agent')
}

function modelsFile(user: UserSetup): string {
  return path.join(folder(user), 'models.json')
}

function basesOf(user: UserSetup, gateway: Rerouting): Readonly<Record<string, string>> {
  const file = modelsFile(user)
  const text = textOf(file)
  const ids = new Set([...Object.keys(builtIn), ...namesIn(file, ['providers'])])
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const set = jsonAt(text, ['providers', id, 'baseUrl'])
      const end = Object.hasOwn(builtIn, id) ? builtIn[id as keyof typeof builtIn] : undefined
      if (typeof set !== 'string' && end === undefined) return []
      const address = typeof set === 'string' ? set : undefined
      return [[id, gateway.through(`pi-${id}`, address, end)]]
    }),
  )
}
