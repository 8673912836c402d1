import { type Config, presetNames } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { schedules } from '../core/words/settings.ts'
import { type Terminal, writeNotice } from './terminal.ts'

/** Command-line options that choose the configuration. */
export interface ConfigOptions {
  readonly preset?: string | undefined
  readonly schedule?: string | undefined
  /** A file that overrides the ones that are found. */
  readonly config?: string | undefined
}

export const presetOption: readonly [string, string] = [
  '--preset <name>',
  `how the context is kept: ${presetNames.join(', ')}`,
]

export const configOption = [
  '--config <file>',
  'a configuration file that overrides the ones that are found; may be a file of ACP or DCP',
] as const

/**
 * The configuration of this folder with the command-line options applied. Writes warnings to standard error.
 *
 * @throws PalimpsestError with code `usage` for an unknown name, or `configuration`.
 */
export function chosenConfig(terminal: Terminal, options: ConfigOptions): Config {
  const config = loadConfig({ ...terminal, config: options.config })
  for (const warning of config.warnings) writeNotice(terminal, `${warning}`)
  const preset = oneOf('--preset', options.preset, presetNames)
  const schedule = oneOf('--schedule', options.schedule, schedules)
  return { ...config, preset: preset ?? config.preset, schedule: schedule ?? config.schedule }
}

function oneOf<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (value === undefined) return undefined
  const name = names.find((each) => each === value)
  if (name !== undefined) return name
  const message = `${option} ${value} is not known; use one of: ${names.join(', ')}`
  throw new PalimpsestError('usage', message)
}
