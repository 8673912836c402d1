import path from 'node:path'
import { arrayOf, isJsonObject, objectOf } from '../core/words/json.ts'
import { type Agent, textOf, type UserSetup } from './agent.ts'
import { dotEnvBlock, shellNotes, valueInDotEnv } from './dot-env.ts'
import { jsonAt } from './json-edit.ts'
import { jsonChange, settingIn } from './json-settings.ts'
import { commandServer, loginIn, systemDefaults } from './mcp-servers.ts'
import type { Rerouting } from './reroute.ts'

const variables = { openai: 'OPENAI_BASE_URL', anthropic: 'ANTHROPIC_BASE_URL' } as const
const ends = { openai: '/v1', anthropic: '' } as const

/** Addresses come from variables, unless the settings name one for a model. */
export const qwenCode: Agent = {
  id: 'qwen',
  name: 'Qwen Code',
  client: 'qwen-code',
  install: 'npm install -g @qwen-code/qwen-code',
  folder,
  run({ gateway, args, mcp, scratch, ...user }) {
    const defaults = systemDefaults('qwen-code', { mcp, scratch, env: user.env })
    const models = modelAddresses(user, gateway)
    const file = path.join(scratch, 'system-settings.json')
    const isForced = models.length > 0
    return {
      env: {
        ...basesOf(user, gateway),
        ...defaults.env,
        ...(isForced ? { [machineSettings]: file } : {}),
      },
      args,
      files: [
        ...defaults.files,
        ...(isForced ? [{ path: file, text: JSON.stringify(forced(user, models)) }] : []),
      ],
      notes: loginNotes(user),
    }
  },
  keep({ gateway, mcp, ...user }) {
    const bases = basesOf(user, gateway)
    return {
      changes: [
        dotEnvBlock(path.join(folder(user), '.env'), bases),
        jsonChange(settings(user), [...modelAddresses(user, gateway), commandServer(mcp)]),
      ],
      notes: [...loginNotes(user), ...shellNotes(user, Object.keys(bases))],
    }
  },
}

const machineSettings = 'QWEN_CODE_SYSTEM_SETTINGS_PATH'

function folder({ env, home }: UserSetup): string {
  return env.QWEN_HOME || path.join(home, '.qwen')
}

function settings(user: UserSetup): string {
  return path.join(folder(user), 'settings.json')
}

function basesOf(user: UserSetup, gateway: Rerouting): Readonly<Record<string, string>> {
  const text = textOf(path.join(folder(user), '.env'))
  return Object.fromEntries(
    (['openai', 'anthropic'] as const).map((provider) => {
      const name = variables[provider]
      const inSettings = settingIn(settings(user), ['env', name])
      const address = user.env[name] || valueInDotEnv(text, name) || inSettings
      return [name, gateway.through(`qwen-${provider}`, address, ends[provider])]
    }),
  )
}

interface ModelAddress {
  readonly path: readonly (string | number)[]
  readonly value: string
}

/** The gateway's addresses for models whose own address the settings name. */
function modelAddresses(user: UserSetup, gateway: Rerouting): readonly ModelAddress[] {
  const providers = objectOf(jsonAt(textOf(settings(user)), ['modelProviders']))
  return Object.entries(providers).flatMap(([provider, models]) =>
    arrayOf(models).flatMap((model, at) => {
      const { baseUrl, id } = objectOf(model)
      if (typeof baseUrl !== 'string' || baseUrl === '') return []
      const name = `qwen-${provider}-${String(id ?? at)}`
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, '-')
      return [
        {
          path: ['modelProviders', provider, at, 'baseUrl'],
          value: gateway.through(name, baseUrl),
        },
      ]
    }),
  )
}

/** The machine's settings, which win over the user's, with all of the user's providers at their new addresses. */
function forced(user: UserSetup, models: readonly ModelAddress[]): object {
  const machine = objectOf(
    jsonAt(textOf(user.env[machineSettings] || '/etc/qwen-code/settings.json'), []),
  )
  const providers = objectOf(jsonAt(textOf(settings(user)), ['modelProviders']))
  const changed = Object.entries(providers).map(([provider, list]) => [
    provider,
    arrayOf(list).map((model, at) => {
      const address = models.find(({ path: [, of, index] }) => of === provider && index === at)
      return isJsonObject(model) && address !== undefined
        ? { ...model, baseUrl: address.value }
        : model
    }),
  ])
  return { ...machine, modelProviders: Object.fromEntries(changed) as object }
}

function loginNotes(user: UserSetup): readonly string[] {
  return loginIn(settings(user)) === 'qwen-oauth'
    ? [
        'Qwen Code is logged in with a Qwen account: only requests with an API key go through the gateway',
      ]
    : []
}
