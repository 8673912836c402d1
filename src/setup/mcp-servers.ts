import path from 'node:path'
import { objectOf } from '../core/words/json.ts'
import {
  type CommandServer,
  type HttpServer,
  type RunSetup,
  serverName,
  serversKey,
  textOf,
} from './agent.ts'
import { jsonAt } from './json-edit.ts'
import { settingIn } from './json-settings.ts'

/** Our server in the settings of Gemini CLI and Qwen Code. */
export function commandServer({ command, env }: CommandServer): {
  readonly path: readonly string[]
  readonly value: object
} {
  const [program, ...args] = command
  const variables = Object.keys(env).length === 0 ? {} : { env }
  return { path: [serversKey, serverName], value: { command: program, args, ...variables } }
}

/** How the user logs in to Gemini CLI or Qwen Code; undefined when the settings do not say. */
export function loginIn(settings: string): string | undefined {
  return settingIn(settings, ['security', 'auth', 'selectedType'])
}

interface DefaultsOptions {
  readonly mcp: HttpServer | null
  readonly scratch: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * A file of defaults with our server, in place of the machine's, whose values it repeats. The user's settings win over it. Nothing
 * without a server.
 */
export function systemDefaults(
  program: 'gemini-cli' | 'qwen-code',
  { mcp, scratch, env }: DefaultsOptions,
): Required<Pick<RunSetup, 'env' | 'files'>> {
  if (mcp === null) return { env: {}, files: [] }
  const variable = `${program.toUpperCase().replace('-', '_')}_SYSTEM_DEFAULTS_PATH`
  const usual = `/etc/${program}/system-defaults.json`
  const machine = objectOf(jsonAt(textOf(env[variable] || usual), []))
  const servers = {
    ...objectOf(machine[serversKey]),
    [serverName]: { httpUrl: mcp.url, headers: mcp.headers },
  }
  const file = path.join(scratch, 'system-defaults.json')
  const text = JSON.stringify({ ...machine, [serversKey]: servers })
  return { env: { [variable]: file }, files: [{ path: file, text }] }
}
