import type { Config } from '../../../src/config/config.ts'
import { createEngineMaker } from '../../../src/config/engine-maker.ts'
import type { MessageDraft } from '../../../src/core/record/item.ts'
import { createRecord } from '../../../src/core/record/record.ts'
import type { Recording } from '../../../src/recordings/recording.ts'
import { replay } from '../../../src/replay/replay.ts'
import { decisionsIn, followHistory, namesOf, type SeenRequest, type Side } from './side.ts'
import { systemPromptIn } from './wire-only.ts'

export interface ReplayOptions {
  readonly config: Config
  /** The live session's messages, for the system prompt that a recording does not hold. */
  readonly live: readonly MessageDraft[]
}

/** What a replay of the client's own recording says and decides, under the gateway's configuration. */
export function replayedSide(recorded: Recording, { config, live }: ReplayOptions): Side {
  const recording = withSystemPrompt(recorded, live)
  const engine = createEngineMaker(config).make([], { cwd: recording.cwd, model: recording.model })
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

/** Its length decides when an epoch pays. */
function withSystemPrompt(recording: Recording, live: readonly MessageDraft[]): Recording {
  const prompt = systemPromptIn(live, messagesOf(recording))
  const moved = prompt.length
  const events = recording.events.map((event) =>
    event.kind === 'compaction'
      ? { ...event, keeps: [...prompt.keys(), ...event.keeps.map((kept) => kept + moved)] }
      : event,
  )
  return {
    ...recording,
    events: [...prompt.map((message) => ({ kind: 'message', message }) as const), ...events],
  }
}
