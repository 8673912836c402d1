import path from 'node:path'
import { type Agent, serverName, serversKey, type UserSetup } from './agent.ts'
import { jsonChange } from './json-settings.ts'
import { shellProfile } from './shell-profile.ts'

const variable = 'COPILOT_PROVIDER_BASE_URL'

/** Only a provider of the user's own has an address that can be changed. */
export const copilotCli: Agent = {
  id: 'copilot',
  name: 'Copilot CLI',
  client: 'copilot-cli',
  install: 'npm install -g @github/copilot',
  folder,
  run({ gateway, args, mcp, ...user }) {
    const address = user.env[variable]
    const servers =
      mcp === null
        ? null
        : { [serversKey]: { [serverName]: { type: 'http', tools: ['*'], ...mcp } } }
    return {
      env: address ? { [variable]: gateway.through('copilot', address) } : {},
      args: [
        ...(servers === null ? [] : ['--additional-mcp-config', JSON.stringify(servers)]),
        ...args,
      ],
      notes: address ? [] : [loginNote],
    }
  },
  keep({ gateway, mcp, ...user }) {
    const address = user.env[variable]
    if (!address) return { changes: [], notes: [loginNote] }
    const [command, ...args] = mcp.command
    const server = { type: 'local', command, args, env: mcp.env, tools: ['*'] }
    return {
      changes: [
        shellProfile(user, { [variable]: gateway.through('copilot', address) }),
        jsonChange(path.join(folder(user), 'mcp-config.json'), [
          { path: [serversKey, serverName], value: server },
        ]),
      ],
      notes: ['open a new shell, or log in again: Copilot CLI takes its address from a variable'],
    }
  },
}

const loginNote = `Copilot CLI with a GitHub login talks to GitHub alone; with a provider of your own (${variable}) it can go through the gateway`

function folder({ env, home }: UserSetup): string {
  return env.COPILOT_HOME || path.join(home, '.copilot')
}
