import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { userConfigFolder } from '../config/user-folder.ts'
import { isJsonObject } from '../core/words/json.ts'
import { createAnswers } from './command-answers.ts'
import { createHooks } from './hooks.ts'
import type { Hooks, HostContext } from './host.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import { createNotices } from './notices.ts'
import { createParents } from './parents.ts'
import type { PluginSetup } from './plugin-setup.ts'

/**
 * The plugin of one project. It never throws: with a configuration that cannot be read it says so and does nothing. The
 * host waits for it at its start, so almost everything is loaded with the first request.
 */
export async function createPlugin(
  context: HostContext,
  given?: unknown,
): Promise<Hooks | Record<string, never>> {
  const { client } = context
  const notices = createNotices(client)
  const parents = createParents(client)
  const isCustomised = isConfigured(context.directory, given)
  const reading = once(async (): Promise<PluginSetup | null> => {
    if (!isCustomised) return (await import('./default-setup.ts')).defaultSetup(context)
    return (await import('./plugin-setup.ts')).readPluginSetup(context, given, notices)
  })
  const load = once(async (): Promise<LoadedPlugin | null> => {
    const setup = await reading()
    if (setup === null) return null
    const { loadPlugin } = await import('./loaded-plugin.ts')
    return loadPlugin({ context, setup, notices, parents })
  })
  const parts = { client, answers: createAnswers(), notices, parents, load }
  // Only a configuration can switch the plugin off, and then its tools are not offered.
  if (!isCustomised) return createHooks({ ...parts, subAgents: true, editIntent: false })
  try {
    const setup = await reading()
    if (setup === null) return {}
    const { editIntent } = setup.settings
    return createHooks({ ...parts, subAgents: setup.config.subAgents ?? true, editIntent })
  } catch (problem) {
    notices.problem('the plugin cannot be loaded', problem)
    return {}
  }
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null
  return () => {
    result ??= work()
    return result
  }
}

/** Whether there is any configuration at all. */
function isConfigured(directory: string, given: unknown): boolean {
  if (isJsonObject(given) && Object.keys(given).length > 0) return true
  const project = resolve(directory)
  const folders = [userConfigFolder(), project]
  for (let above = dirname(project); above !== folders.at(-1); above = dirname(above)) {
    folders.push(above)
  }
  return folders.some((folder) => existsSync(join(folder, 'palimpsest.jsonc')))
}
