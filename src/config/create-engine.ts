import type { ToolMapping } from '../actions/index.ts'
import type { EngineOptions as CoreOptions, Engine } from '../core/engine.ts'
import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import { type RegimeName, regimeNames } from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { LedgerEntry } from '../core/words/ledger.ts'
import type { Settings } from '../core/words/settings.ts'
import { type PresetName, presetNames } from './config.ts'
import { createEngineMaker } from './engine-maker.ts'
import { nearest } from './nearest.ts'
import { resolveSettings } from './resolve.ts'

/** Every option may be left out. */
export interface EngineOptions {
  /** `balanced` when left out. */
  readonly preset?: PresetName | undefined
  /** The folder that the agent works in. With it, relative and absolute paths name the same file. */
  readonly cwd?: string | null | undefined
  /** Replaces the preset with settings of your own; see `resolveSettings`. */
  readonly settings?: Settings | undefined
  /** How the agent's own tools are read. */
  readonly toolMappings?: readonly ToolMapping[] | undefined
  /** Corrections to the table of models: prices, cache lifetimes, limits. */
  readonly models?: readonly ModelOverride[] | undefined
  /** One price regime for all requests, instead of the prices of each request's model. */
  readonly regime?: RegimeName | undefined
  /** The ledger of an earlier process, whose decisions are made again the same way. */
  readonly ledger?: readonly LedgerEntry[] | undefined
  /**
   * The agent's tool that restores originals; placeholders name it before the handle. null when the agent cannot restore
   * any: then only what something newer has replaced is left out.
   */
  readonly restore?: { readonly tool: string } | null | undefined
  /** Reads calls and results in another way than `createUnderstanding` does. */
  readonly understanding?: CoreOptions['understanding'] | undefined
}

type Check = (value: unknown) => string | null

/** A list whose entries have these names. Other fields of an entry are checked by its type alone. */
const listWith =
  (...fields: readonly string[]): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    for (const [at, entry] of value.entries()) {
      const missing = fields.find(
        (field) => isObject(entry) !== null || typeof entry[field] !== 'string',
      )
      if (missing !== undefined)
        return `must have '${missing}' in every entry. Entry ${at} has none`
    }
    return null
  }
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object'
const oneOf =
  (names: readonly string[]): Check =>
  (value) => {
    if (names.includes(value as string)) return null
    const guess = typeof value === 'string' ? nearest(value, names) : null
    const all = `must be one of ${names.join(', ')}`
    return guess === null ? all : `${all}. Did you mean '${guess}'?`
  }

/** What is wrong with a value, by the name of its option. undefined always counts as left out. */
const checks: Readonly<Record<keyof EngineOptions, Check>> = {
  preset: oneOf(presetNames),
  regime: oneOf(regimeNames),
  cwd: (value) => (value === null || typeof value === 'string' ? null : 'must be a path or null'),
  settings: (value) =>
    isObject(value) ??
    ('schedule' in (value as object) && 'admission' in (value as object)
      ? null
      : 'must be complete settings. Pass what `resolveSettings({ … })` returns'),
  toolMappings: listWith('tool', 'as'),
  models: listWith('model'),
  ledger: listWith('kind'),
  restore: (value) =>
    value === null ||
    (isObject(value) === null && typeof (value as { tool?: unknown }).tool === 'string')
      ? null
      : "must be null or name the tool, as in { tool: 'context_restore' }",
  understanding: (value) =>
    typeof value === 'function' || isObject(value) === null
      ? null
      : 'must be an understanding, or a function that returns one',
}

/**
 * Creates an engine. It takes a session request by request and says what to change in each.
 *
 * @example
 * const engine = createEngine({ preset: 'balanced' })
 * const { changes } = engine.request(messages)
 *
 * @throws PalimpsestError with code `usage`, naming the option and what would be valid.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  checkOptions(options)
  const { preset, models, regime, toolMappings = [], cwd = null, restore, understanding } = options
  const { settings = resolveSettings({ preset }) } = options
  const maker = createEngineMaker(
    { models, regime, toolMappings, warnings: [] },
    { settings, restore, ...(understanding === undefined ? {} : { understanding }) },
  )
  const engine = maker.make(options.ledger ?? [], { cwd, model: null })
  const request = engine.request.bind(engine)
  return Object.assign(engine, {
    request: (...[messages, ...rest]: Parameters<Engine['request']>) => {
      checkMessages(messages)
      return request(messages, ...rest)
    },
  })
}

/** Looks at the last message alone, so that its work does not grow with the session. */
function checkMessages(messages: unknown): void {
  const last = Array.isArray(messages) ? (messages.at(-1) ?? { items: [] }) : null
  if (isObject(last) === null && Array.isArray(last.items)) return
  throw new PalimpsestError(
    'usage',
    'request takes messages with items, as a format reads them: `engine.request(anthropic.read(body).messages)`.',
  )
}

function checkOptions(options: unknown): void {
  if (isObject(options) !== null)
    throw new PalimpsestError('usage', "createEngine takes options, as in { preset: 'balanced' }")
  const names = Object.keys(checks)
  for (const [name, value] of Object.entries(options as object)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof EngineOptions] : undefined
    if (check === undefined) {
      const guess = nearest(name, names)
      const advice =
        guess === null ? `Use one of: ${names.join(', ')}.` : `Did you mean '${guess}'?`
      throw new PalimpsestError('usage', `createEngine has no option '${name}'. ${advice}`)
    }
    const problem = value === undefined ? null : check(value)
    if (problem === null) continue
    const end = problem.endsWith('?') ? '' : '.'
    throw new PalimpsestError('usage', `createEngine: '${name}' ${problem}${end}`)
  }
}
