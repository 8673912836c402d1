import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Agent, textOf, type UserSetup } from './agent.ts'
import { dotEnvBlock, shellNotes, valueInDotEnv } from './dot-env.ts'
import { jsonChange } from './json-settings.ts'
import { commandServer, loginIn, systemDefaults } from './mcp-servers.ts'

const variable = 'GOOGLE_GEMINI_BASE_URL'

/** The address comes from a variable, which a key needs; a login with Google does not follow it. */
export const geminiCli: Agent = {
  id: 'gemini',
  name: 'Gemini CLI',
  client: 'gemini-cli',
  install: 'npm install -g @google/gemini-cli',
  folder,
  run({ gateway, args, mcp, scratch, ...user }) {
    const defaults = systemDefaults('gemini-cli', { mcp, scratch, env: user.env })
    return {
      env: { [variable]: gateway.through('gemini-cli', addressNow(user)), ...defaults.env },
      args,
      files: defaults.files,
      notes: loginNotes(user),
    }
  },
  keep({ gateway, mcp, ...user }) {
    const base = gateway.through('gemini-cli', addressNow(user))
    return {
      changes: [
        dotEnvBlock(envFile(user), { [variable]: base }),
        jsonChange(settings(user), [commandServer(mcp)]),
      ],
      notes: [...loginNotes(user), ...shellNotes(user, [variable])],
    }
  },
}

function folder({ env, home }: UserSetup): string {
  return path.join(env.GEMINI_CLI_HOME || home, '.gemini')
}

function settings(user: UserSetup): string {
  return path.join(folder(user), 'settings.json')
}

/** It reads one file only: the one in its own folder, or else the one in the home folder. */
function envFile(user: UserSetup): string {
  const own = path.join(folder(user), '.env')
  const atHome = path.join(path.dirname(folder(user)), '.env')
  return !existsSync(own) && existsSync(atHome) ? atHome : own
}

function addressNow(user: UserSetup): string | undefined {
  return user.env[variable] || valueInDotEnv(textOf(envFile(user)), variable)
}

function loginNotes(user: UserSetup): readonly string[] {
  const type = loginIn(settings(user))
  return type === 'oauth-personal' || type === 'cloud-shell' || type === 'vertex-ai'
    ? [`Gemini CLI is set to ${type}: only requests with an API key go through the gateway`]
    : []
}
