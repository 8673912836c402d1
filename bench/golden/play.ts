import { createHash } from 'node:crypto'
import type { Config, PresetName } from '../../src/config/config.ts'
import { createEngineMaker } from '../../src/config/engine-maker.ts'
import { presets } from '../../src/config/presets.ts'
import type { EngineRequest } from '../../src/core/engine.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { type Schedule, schedules } from '../../src/core/words/settings.ts'
import type { Body, Format, FormatName, ItemChange, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { objectFormats } from '../../test/contract/formats-of-lists.ts'
import { bodyOf } from '../../test/property/wire.ts'
import { listOf } from './object-lists.ts'

/** A preset, and the schedule by which its decisions are applied. */
export interface Setting {
  readonly name: string
  readonly config: Config
}

export const presetNames = Object.keys(presets) as readonly PresetName[]

export function settingOf(preset: PresetName, schedule?: Schedule): Setting {
  const config = { preset, toolMappings: [], warnings: [] }
  return schedule === undefined
    ? { name: preset, config }
    : { name: `${preset} ${schedule}`, config: { ...config, schedule } }
}

export const allSettings: readonly Setting[] = presetNames.flatMap((preset) =>
  schedules.map((schedule) => settingOf(preset, schedule)),
)

/** Each preset as it ships, and each schedule under the default preset. */
export const shippedSettings: readonly Setting[] = [
  ...presetNames.map((preset) => settingOf(preset)),
  ...schedules.map((schedule) => settingOf('balanced', schedule)),
]

const models: Readonly<Record<FormatName, string>> = {
  anthropic: 'claude-sonnet-4-5',
  'openai-chat': 'deepseek-v4-flash',
  'openai-responses': 'gpt-5.5',
  gemini: 'gemini-3-pro',
  'ai-sdk': 'claude-opus-4-8',
  opencode: 'claude-sonnet-4-6',
}

/** Their order is part of the digests. */
export const formatNames: readonly FormatName[] = Object.keys(models) as FormatName[]

export interface PlayedRequest {
  readonly messages: readonly MessageDraft[]
  /** True when it only adds to the request before it. */
  readonly goesOn?: boolean
  readonly at: number | null
}

export interface Played {
  readonly requests: Iterable<PlayedRequest>
  readonly cwd: string | null
}

export interface GoldenOptions {
  readonly format: FormatName
  readonly setting: Setting
  /**
   * `all`: every request is written, read and rewritten. `last`: only the last one is; for the others only the
   * changes count, because the bodies of a long recorded session add up to gigabytes.
   */
  readonly bodies: 'all' | 'last'
}

/** SHA-256 over every outgoing request of a session, in order, and over the ledger at its end. */
export function goldenDigest(session: Played, options: GoldenOptions): string {
  const { format, setting, bodies } = options
  const model = models[format]
  const engine = createEngineMaker(setting.config, {
    restore: { tool: 'context_restore' },
  }).make([], { cwd: session.cwd, model })
  const sha = createHash('sha256')
  const wire = wireOf(format)
  let last: PlayedRequest | null = null
  let changes: EngineRequest['changes'] = []
  let anchor: EngineRequest['anchor'] | undefined
  for (const request of session.requests) {
    const messages = bodies === 'all' ? wire.read(request.messages) : request.messages
    const since = request.goesOn === true ? anchor : undefined
    const answer = engine.request(messages, since, { at: request.at, model })
    changes = answer.changes
    anchor = answer.anchor
    if (bodies === 'all') sha.update(wire.rewrite(changes))
    else sha.update(JSON.stringify(changes.map(({ message, item, text }) => [message, item, text])))
    last = request
  }
  if (bodies === 'last' && last !== null) {
    wire.read(last.messages)
    sha.update(wire.rewrite(changes))
  }
  sha.update(JSON.stringify(engine.ledger.entries))
  return sha.digest('hex').slice(0, 16)
}

/** One conversation in one format. Each request is parsed with the previous one as its base. */
interface Wire {
  read(messages: readonly MessageDraft[]): readonly MessageDraft[]
  /** The last request that was read, as it goes out. */
  rewrite(changes: readonly ItemChange[]): string
}

function wireOf(name: FormatName): Wire {
  return name === 'ai-sdk' || name === 'opencode'
    ? wireOver(objectFormats[name], (messages) => listOf(name, messages), JSON.stringify)
    : wireOver<Body>(bodyFormats[name], (messages) => bodyOf(name, messages), String)
}

function wireOver<Source>(
  format: Format<Source>,
  write: (messages: readonly MessageDraft[]) => Source,
  textOf: (source: Source) => string,
): Wire {
  let read: RequestRead<Source> | undefined
  return {
    read(messages) {
      read = format.read(write(messages), read)
      return read.messages
    },
    rewrite: (changes) => (read === undefined ? '' : textOf(format.rewrite(read, changes).source)),
  }
}
