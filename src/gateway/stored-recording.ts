import type { Config } from '../config/config.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { Recording } from '../recordings/recording.ts'
import { engineFor } from '../replay/engine-for.ts'
import { type ReplayedRequest, replay, type Shown, textOf } from '../replay/replay.ts'
import { createSessionWriter, type Receipt, type Store } from '../store/index.ts'

/**
 * Puts a recorded session into the store as if the gateway had served it, so that there is something to look at.
 * False when the store has it already.
 */
export async function storeRecording(
  store: Store,
  recording: Recording,
  config: Config,
): Promise<boolean> {
  const { session: id, parent, format, cwd: folder } = recording
  if (id === null) return false
  const session = await store.openSession({ id, parent, origin: `recording ${format}`, folder })
  const loaded = await store.load(session)
  if (loaded.extent.messages > 0) return false
  const engine = engineFor(recording, { config })
  const writer = createSessionWriter(store, loaded)
  for (const step of replay(recording, engine)) {
    if (step.kind !== 'request' || step.engine === null) continue
    const { receipt, statistics } = figuresOf(step)
    writer.note(engine, step.engine, { receipts: [receipt], statistics })
  }
  await writer.flush()
  return true
}

function figuresOf(step: ReplayedRequest): {
  readonly receipt: Receipt
  readonly statistics: Readonly<Record<string, number>>
} {
  const tokens = { before: sizeOf(step.unchanged), after: sizeOf(step.view) }
  const opened = step.engine?.epoch?.reason ?? null
  const { n: turn, at, model } = step
  return {
    receipt: { kind: 'request', at, model, turn, bypass: null, tokens, opened },
    statistics: {
      requests: 1,
      tokensBefore: tokens.before,
      tokensAfter: tokens.after,
      epochs: opened === null ? 0 : 1,
    },
  }
}

function sizeOf(shown: readonly Shown[]): number {
  return shown.reduce(
    (sum, { item, rendition }) =>
      sum + (rendition === null ? item.tokens : estimateTokens(textOf(rendition))),
    0,
  )
}
