import { type Config, type ConfigFile, presetNames } from '../config/config.ts'
import { configJsonSchema } from '../config/json-schema.ts'
import type { ConfigSource } from '../config/load.ts'
import { resolveSettings } from '../config/resolve.ts'
import { isJsonObject, objectOf } from '../core/words/json.ts'
import type { AgentSetup, SettingRow, Settings } from './types.ts'

export interface SettingsParts {
  readonly config: Config
  readonly sources: readonly ConfigSource[]
  /** Options of the command line, such as `--preset`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The user's own file, whether it exists or not. */
  readonly userFile: string | null
  readonly agents: readonly AgentSetup[]
}

/** Where a configuration file may have a setting, by its name in the engine. */
const placesOf: readonly string[] = [
  '',
  'strategies.',
  'strategies.aggressivePruning.',
  'tools.',
  'tools.settings.',
]

/** The configuration in force, with the origin of each value. */
export function settingsView({
  config,
  sources,
  options = {},
  userFile,
  agents,
}: SettingsParts): Settings {
  const given = sources.map((source) => ({ source, values: new Map(flat(source.config)) }))
  const descriptions = descriptionsOf()
  const presetName = config.preset ?? 'balanced'
  const preset = new Map(flat(resolveSettings({ preset: presetName })))
  const isDefault = presetName === presetNames[0]
  const shown = new Set<string>()

  function row(key: string, value: unknown): SettingRow {
    const names = placesOf.map((place) => `${place}${key}`)
    const described = names.map((name) => descriptions.get(name)).find((each) => each !== undefined)
    const base = { key, value: JSON.stringify(value), description: described ?? null }
    for (const name of names) shown.add(name)
    if (Object.hasOwn(options, key) && options[key] !== undefined)
      return { ...base, source: `--${key}`, sourceKind: 'option' }
    const from = given.findLast(({ values }) => names.some((name) => values.has(name)))
    if (from !== undefined)
      return { ...base, source: from.source.where, sourceKind: from.source.kind }
    return preset.has(key) && !isDefault
      ? { ...base, source: presetName, sourceKind: 'preset' }
      : { ...base, source: 'default', sourceKind: 'default' }
  }

  const engine = [...flat(resolveSettings(config))].map(([key, value]) => row(key, value))
  const { warnings: _, untrusted: __, ...file } = config
  const others = [...flat(file)]
    .filter(
      ([key]) => !shown.has(key) && !key.startsWith('strategies.') && !key.startsWith('tools.'),
    )
    .map(([key, value]) => row(key, value))
  const read = sources.filter(({ kind }) => kind !== 'option')
  const isThere = read.some(({ where }) => where === userFile)
  return {
    values: [...engine, ...others],
    files: [
      ...(userFile === null || isThere ? [] : [{ path: userFile, state: 'absent' as const }]),
      ...sources.map(({ where, isUntrusted }) => ({
        path: where,
        state: isUntrusted ? ('untrusted' as const) : ('read' as const),
      })),
    ],
    agents,
  }
}

/** Every value with its dotted key. Lists are values. */
function* flat(value: ConfigFile | object, path = ''): Iterable<readonly [string, unknown]> {
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined || key === '$schema' || key === 'coefficients') continue
    const at = path === '' ? key : `${path}.${key}`
    if (isJsonObject(each)) yield* flat(each, at)
    else yield [at, each]
  }
}

function descriptionsOf(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const walk = (schema: unknown, path: string): void => {
    const { properties, anyOf, description } = objectOf(schema)
    if (path !== '' && typeof description === 'string' && !found.has(path))
      found.set(path, description)
    for (const each of Array.isArray(anyOf) ? anyOf : []) walk(each, path)
    for (const [key, inner] of Object.entries(objectOf(properties)))
      walk(inner, path === '' ? key : `${path}.${key}`)
  }
  walk(configJsonSchema(), '')
  return found
}
