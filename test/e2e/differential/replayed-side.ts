import type { Config } from '../../../src/config/config.ts'
import { createRecord } from '../../../src/core/record/record.ts'
import type { ItemDraft, MessageDraft, Usage } from '../../../src/core/words/item.ts'
import type { Recording } from '../../../src/recordings/recording.ts'
import { sessionFor } from '../../../src/replay/recorded-session.ts'
import { replay, textOf } from '../../../src/replay/replay.ts'
import { decisionsIn, followHistory, namesOf, type SeenRequest, type Side } from './side.ts'
import { systemPromptIn } from './wire-only.ts'

export interface ReplayOptions {
  readonly config: Config
  /** How the live session fetches originals: the length of these words decides whether a placeholder pays. */
  readonly restore: string
  /** The live session's messages, for the system prompt that a recording does not hold. */
  readonly live: readonly MessageDraft[]
  /** What the model reported for each turn, for recordings that do not hold it: it decides when and where an epoch pays. */
  readonly usage: readonly (Usage | null)[]
}

/** What a replay of the client's own recording says and decides, under the gateway's configuration. */
export function replayedSide(
  recorded: Recording,
  { config, restore, live, usage }: ReplayOptions,
): Side {
  const recording = withUsage(withSystemPrompt(recorded, live), usage)
  // Decided about as it was sent, and compared as it was recorded.
  const sent = withFailuresAsSent(recording, live)
  const session = sessionFor(sent, { config, restore })
  const history = createRecord().append(messagesOf(recording)).added
  const names = namesOf(history)
  const requests: SeenRequest[] = []
  for (const step of replay(sent, session)) {
    if (step.kind !== 'request') continue
    if (step.turn?.receipt.fault != null) throw step.turn.receipt.fault
    const shown = new Map<string, string>()
    for (const { item, rendition } of step.view) {
      if (item.kind === 'call' || item.kind === 'result')
        shown.set(names.get(item.index) ?? '', rendition === null ? item.text : textOf(rendition))
    }
    requests.push(shown)
  }
  return {
    ...followHistory(history, recording.cwd),
    ...decisionsIn(session.engine.ledger.entries, session.engine.record.items, names),
    requests,
  }
}

function messagesOf({ events }: Recording): readonly MessageDraft[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
}

/** Copilot CLI records a failed call in fewer words than it sends, and what an item weighs decides where an epoch begins. */
function withFailuresAsSent(recording: Recording, live: readonly MessageDraft[]): Recording {
  const textOfCall = new Map(
    live
      .flatMap(({ items }) => items)
      .flatMap((item) => (item.kind === 'result' ? [[item.call, item.text] as const] : [])),
  )
  const asSent = (item: ItemDraft): ItemDraft =>
    item.kind === 'result' && item.status === 'error'
      ? { ...item, text: textOfCall.get(item.call) ?? item.text }
      : item
  const events = recording.events.map((event): Recording['events'][number] => {
    if (event.kind !== 'message') return event
    const { message } = event
    return { ...event, message: { ...message, items: message.items.map(asSent) } }
  })
  return { ...recording, events }
}

/** Copilot CLI, for example, records no usage. */
function withUsage(recording: Recording, reported: readonly (Usage | null)[]): Recording {
  const messages = messagesOf(recording)
  if (messages.some(({ usage }) => usage !== undefined)) return recording
  const answers = messages.filter(({ role }) => role === 'assistant')
  // Of an answer in several messages it is not known which of them ended the request.
  if (answers.length !== reported.length) return recording
  const usageOf = new Map(answers.map((message, turn) => [message, reported[turn] ?? null]))
  const events = recording.events.map((event): Recording['events'][number] => {
    const usage = event.kind === 'message' ? usageOf.get(event.message) : null
    if (event.kind !== 'message' || usage == null) return event
    return { ...event, message: { ...event.message, usage } }
  })
  return { ...recording, events }
}

/**
 * Its length decides when an epoch pays. The gateway counts it where it is a message; a recording may lack it, or have it
 * as a message where the wire has a field for it (`system`, `instructions`).
 */
function withSystemPrompt(recording: Recording, live: readonly MessageDraft[]): Recording {
  const messages = messagesOf(recording)
  const prompt = systemPromptIn(live, messages)
  const sent = new Set(live.map(({ items }) => items[0]?.text))
  const ofField = messages.findIndex(
    ({ role, items }) => role === 'system' && !sent.has(items[0]?.text),
  )
  const message = ofField === -1 ? undefined : messages[ofField]
  const moved = (kept: number): number =>
    kept + prompt.length - (message !== undefined && kept > ofField ? 1 : 0)
  const events = recording.events.flatMap((event): Recording['events'] => {
    if (event.kind === 'message') return event.message === message ? [] : [event]
    if (event.kind !== 'compaction') return [event]
    const keeps = event.keeps.filter((kept) => kept !== ofField).map(moved)
    return [{ ...event, keeps: [...prompt.keys(), ...keeps] }]
  })
  return {
    ...recording,
    events: [...prompt.map((added) => ({ kind: 'message', message: added }) as const), ...events],
  }
}
