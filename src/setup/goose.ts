import path from 'node:path'
import { type Agent, textOf, type UserSetup } from './agent.ts'
import type { Rerouting } from './reroute.ts'

/** Goose is no npm package, so that no test of ours drives it. */
export const goose: Agent = {
  id: 'goose',
  name: 'Goose',
  client: 'goose',
  install: 'see https://goose-docs.ai',
  folder,
  run: ({ gateway, args, ...user }) => ({ env: hosts(user, gateway), args }),
  keep({ gateway, ...user }) {
    const lines = Object.entries(hosts(user, gateway)).map(([name, value]) => `${name}: ${value}`)
    const file = configFile(user)
    const taken = lines
      .map((line) => line.split(':', 1)[0] as string)
      .filter((name) => valueIn(user, name))
    if (taken.length > 0)
      return {
        changes: [],
        notes: [
          `${file} sets ${taken.join(' and ')} already: change them by hand to ${gateway.url}`,
        ],
      }
    return { changes: [{ file, change: { kind: 'block', at: 'end', lines } }] }
  },
}

const names = ['ANTHROPIC_HOST', 'OPENAI_HOST', 'GOOGLE_HOST'] as const

function folder({ env, home }: UserSetup): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'goose')
}

function configFile(user: UserSetup): string {
  return path.join(folder(user), 'config.yaml')
}

function hosts(user: UserSetup, gateway: Rerouting): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const address = user.env[name] || valueIn(user, name)
      return [
        name,
        gateway.through(`goose-${name.slice(0, -'_HOST'.length).toLowerCase()}`, address),
      ]
    }),
  )
}

function valueIn(user: UserSetup, name: string): string | undefined {
  const found = new RegExp(`^${name}:\\s*["']?([^"'\\s#]+)`, 'm').exec(textOf(configFile(user)))
  return found?.[1]
}
