import type { Config } from '../../../src/config/config.ts'
import { createRecord } from '../../../src/core/record/record.ts'
import type { MessageDraft } from '../../../src/core/words/item.ts'
import type { Recording } from '../../../src/recordings/recording.ts'
import { engineFor } from '../../../src/replay/engine-for.ts'
import { replay } from '../../../src/replay/replay.ts'
import { decisionsIn, followHistory, namesOf, type SeenRequest, type Side } from './side.ts'
import { systemPromptIn } from './wire-only.ts'

export interface ReplayOptions {
  readonly config: Config
  /** How the live session fetches originals: the length of these words decides whether a placeholder pays. */
  readonly restore: string
  /** The live session's messages, for the system prompt that a recording does not hold. */
  readonly live: readonly MessageDraft[]
}

/** What a replay of the client's own recording says and decides, under the gateway's configuration. */
export function replayedSide(recorded: Recording, { config, restore, live }: ReplayOptions): Side {
  const recording = withSystemPrompt(recorded, live)
  const engine = engineFor(recording, { config, restore })
  const history = createRecord().append(messagesOf(recording)).added
  const names = namesOf(history)
  const requests: SeenRequest[] = []
  for (const step of replay(recording, engine)) {
    if (step.kind !== 'request') continue
    if (step.engine?.fault != null) throw step.engine.fault
    const shown = new Map<string, string>()
    for (const { item, rendition } of step.view) {
      if (item.kind === 'call' || item.kind === 'result')
        shown.set(names.get(item.index) ?? '', rendition === null ? item.text : rendition.text)
    }
    requests.push(shown)
  }
  return {
    ...followHistory(history, recording.cwd),
    ...decisionsIn(engine.ledger.entries, engine.record.items, names),
    requests,
  }
}

function messagesOf({ events }: Recording): readonly MessageDraft[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []))
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
