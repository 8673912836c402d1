import type { Config } from '../config/config.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Receipt, Store } from '../store/index.ts'
import { sessionFor } from './recorded-session.ts'
import { type ReplayedRequest, replay, type Shown, textOf } from './replay.ts'

/** Puts a recorded session into the store as if the gateway had served it. False when the store has it already. */
export async function storeRecording(
  store: Store,
  recording: Recording,
  config: Config,
): Promise<boolean> {
  const { session: id, parent, format, cwd: folder } = recording
  if (id === null) return false
  const origin = `recording ${format}`
  const loaded = await store.load(await store.openSession({ id, parent, origin, folder }))
  if (loaded.extent.messages > 0) return false
  const session = sessionFor(recording, { config, stored: { store, loaded } })
  for (const step of replay(recording, session)) {
    if (step.kind !== 'request') continue
    const { receipt, statistics } = statisticsOf(step)
    session.note({ receipts: [receipt], statistics })
  }
  await session.commit()
  return true
}

function statisticsOf(step: ReplayedRequest): {
  readonly receipt: Receipt
  readonly statistics: Readonly<Record<string, number>>
} {
  const tokens = { before: sizeOf(step.unchanged), after: sizeOf(step.view) }
  const opened = step.turn?.receipt.epoch?.reason ?? null
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
