import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { userConfigFolder } from '../config/user-folder.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { ChosenSettings } from './chosen-settings.ts'
import { createAnswers } from './command-answers.ts'
import { createHooks } from './hooks.ts'
import type { Hooks, HostContext } from './host.ts'
import type { LoadedPlugin, LoadOptions } from './loaded-plugin.ts'
import { createNotices } from './notices.ts'
import { createParents } from './parents.ts'

/**
 * The plugin of one project. It never throws: without a readable configuration it says so, and does nothing. Hosts wait for
 * it when they start, so that almost everything is loaded with the first request.
 */
export async function createPlugin(
  context: HostContext,
  given?: unknown,
): Promise<Hooks | Record<string, never>> {
  const notices = createNotices(context.client)
  const parents = createParents(context.client)
  const isChosen = isConfigured(context.directory, given)
  let choosing: Promise<ChosenSettings | null> | null = null
  let loading: Promise<LoadedPlugin | null> | null = null
  const choose = (): Promise<ChosenSettings | null> => {
    choosing ??= isChosen
      ? import('./chosen-settings.ts').then((module) =>
          module.chosenSettings(context, given, notices),
        )
      : import('./usual-settings.ts').then((module) => module.usualSettings(context))
    return choosing
  }
  const load = (): Promise<LoadedPlugin | null> => {
    loading ??= loadWith(choose, { context, notices, parents })
    return loading
  }
  const { client } = context
  const parts = { client, answers: createAnswers(), notices, parents, load }
  // Only a configuration can switch it off, and tools that are switched off are not to be offered.
  if (!isChosen) return createHooks({ ...parts, subAgents: true, editIntent: false })
  try {
    const chosen = await choose()
    if (chosen === null) return {}
    const { subAgents } = chosen.options
    return createHooks({ ...parts, subAgents, editIntent: chosen.settings.editIntent })
  } catch (problem) {
    notices.problem('the plugin cannot be loaded', problem)
    return {}
  }
}

async function loadWith(
  choose: () => Promise<ChosenSettings | null>,
  options: Omit<LoadOptions, 'chosen'>,
): Promise<LoadedPlugin | null> {
  const chosen = await choose()
  if (chosen === null) return null
  const { loadPlugin } = await import('./loaded-plugin.ts')
  return loadPlugin({ ...options, chosen })
}

/** Whether anything but the defaults may hold. */
function isConfigured(directory: string, given: unknown): boolean {
  if (isJsonObject(given) && Object.keys(given).length > 0) return true
  const own = { env: process.env, platform: process.platform, homedir: homedir() }
  const folders = [userConfigFolder(own), resolve(directory)]
  for (let above = dirname(folders[1]!); above !== folders.at(-1); above = dirname(above)) {
    folders.push(above)
  }
  return folders.some((folder) => existsSync(join(folder, 'palimpsest.jsonc')))
}
