import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import type { PresetName } from '../../src/config/config.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type Engine, type EngineRequest } from '../../src/core/engine.ts'
import type { Decision } from '../../src/core/words/decision.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import type { BodyFormatName, Violation } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import type { Recording } from '../../src/recordings/index.ts'
import { type CorpusRecording, corpusRecordings, describeCorpus } from '../corpus/corpus.ts'
import { isShortRun } from '../e2e/installed-client.ts'
import { applyChanges, faultsOf } from './checks.ts'
import { newlyBroken } from './compare.ts'
import { recordedRequests } from './recorded-requests.ts'
import { presetNames } from './settings.ts'
import { bodyOf } from './wire.ts'

/** Every request goes through the first of them, and each session's last one, with its texts whole, through the others. */
const [usual, ...others] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const

const textsIn = ({ changes }: EngineRequest): readonly unknown[] =>
  changes.map(({ message, item, text }) => ({ message, item, text }))

function engineOf(
  settings: Settings,
  recording: Recording,
  ledger: readonly LedgerEntry[] = [],
): Engine {
  const understanding = createUnderstanding({ cwd: recording.cwd })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding,
    protection: createProtection(settings),
    ledger,
  })
}

/** Rules of the wire look into no long texts but a user's, so that beginnings of the others are enough to break one. */
function shortened(messages: readonly MessageDraft[]): readonly MessageDraft[] {
  return messages.map((message) => {
    const before = short.get(message)
    if (before !== undefined) return before
    const items = message.items.map(
      (item): ItemDraft => ({
        ...item,
        text: item.kind === 'call' ? '{}' : shortText(item, message.role),
      }),
    )
    const after = { ...message, items }
    short.set(message, after)
    return after
  })
}

function shortText({ kind, text }: ItemDraft, role: MessageDraft['role']): string {
  return kind === 'text' && role === 'user' ? text : text.slice(0, 24)
}

const short = new WeakMap<MessageDraft, MessageDraft>()

interface SentAndShown {
  readonly messages: readonly MessageDraft[]
  readonly shown: EngineRequest | null
}

/** True when a request changes what the one before it changed, and nothing more: what it adds is as it came. */
function addsOnly({ changes }: EngineRequest, before: EngineRequest | null): boolean {
  return (
    before?.changes.length === changes.length &&
    changes.every(({ decision }, index) => decision === before.changes[index]?.decision)
  )
}

function wireFaults(
  before: readonly MessageDraft[],
  { changes }: EngineRequest,
): readonly string[] {
  const after = applyChanges(before, changes)
  return faultsBetween(usual, shortened(before), shortened(after))
}

/** But for masked attachments: a message that is only written out has no place where one of a result stood. */
function lastWireFaults(
  before: readonly MessageDraft[],
  { changes }: EngineRequest,
): readonly string[] {
  const told = changes.filter(({ decision }) => decision.rendition.how !== 'masked')
  const after = applyChanges(before, told)
  return others.flatMap((name) => faultsBetween(name, before, after))
}

function faultsBetween(
  name: BodyFormatName,
  before: readonly MessageDraft[],
  after: readonly MessageDraft[],
): readonly string[] {
  const [one, other] = [bodyOf(name, before), bodyOf(name, after)]
  if (one === other) return []
  const format = bodyFormats[name]
  const forbidden = format.validateChange(one, other)
  const broken = newlyBroken(format.validate(one), format.validate(other))
  const told = forbidden.map(({ rule, where }: Violation) => `${rule} at ${where}`)
  return [...broken, ...told].map((fault) => `${name}: ${fault}`)
}

describeCorpus('recorded sessions keep every promise', () => {
  let recordings: readonly CorpusRecording[] = []

  beforeAll(async () => {
    recordings = await corpusRecordings()
  }, 120_000)

  /** All recordings under the default preset; in a short run a third of them under each other one, another third each time. */
  const recordingsFor = (preset: PresetName): typeof recordings => {
    const turn = presetNames.indexOf(preset)
    if (!isShortRun || preset === 'balanced') return recordings
    return recordings.filter((_, at) => (at + turn) % 3 === 0)
  }

  describe.each(presetNames)('under %s', (preset) => {
    it('in every request: originals within reach, never larger, prose untouched, valid', () => {
      const settings = resolveSettings({ preset })
      const faults: string[] = []
      for (const { file, recording } of recordingsFor(preset)) {
        const engine = engineOf(settings, recording)
        const known = new Set<Decision>()
        let last: SentAndShown = { messages: [], shown: null }
        let before: readonly LedgerEntry[] = []
        for (const { messages, goesOn } of recordedRequests(recording)) {
          const since = goesOn ? last.shown?.anchor : undefined
          before = engine.ledger.entries.slice()
          const request = engine.request(messages, since)
          const found = [
            ...faultsOf({ engine, settings, messages, request, known }),
            ...(goesOn && addsOnly(request, last.shown) ? [] : wireFaults(messages, request)),
          ]
          faults.push(...found.map((fault) => `${file}: ${fault}`))
          last = { messages, shown: request }
        }
        if (last.shown === null) continue
        // What was sent follows from the messages alone where everything is applied at once, else from the ledger too.
        const isAlone = settings.schedule === 'eager' || settings.schedule === 'on-demand'
        const written = JSON.parse(JSON.stringify(isAlone ? [] : before)) as LedgerEntry[]
        const alone = engineOf(settings, recording, written).request(last.messages)
        const atLast = [
          ...wireFaults(last.messages, alone),
          ...lastWireFaults(last.messages, alone),
        ]
        faults.push(...atLast.map((fault) => `${file}: ${fault}`))
        if (!isDeepStrictEqual(textsIn(alone), textsIn(last.shown)))
          faults.push(`${file}: not the same in another process`)
      }
      expect(faults.slice(0, 20)).toEqual([])
    }, 300_000)

    it('and what was shown of a session is left as it is when it is taken for the session', () => {
      const settings = resolveSettings({ preset, schedule: 'eager' })
      const again: string[] = []
      for (const { file, recording } of recordingsFor(preset)) {
        const messages = [...recordedRequests(recording)].at(-1)?.messages ?? []
        const project = (shown: readonly MessageDraft[]): EngineRequest =>
          engineOf(settings, recording).request(shown)
        const { changes } = project(applyChanges(messages, project(messages).changes))
        again.push(...changes.map(({ text }) => `${file}: ${text?.slice(0, 200)}`))
      }
      expect(again).toEqual([])
    }, 120_000)
  })
})
