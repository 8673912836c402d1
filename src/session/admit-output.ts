import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import { presets } from '../config/presets.ts'
import { resolveSettings } from '../config/resolve.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'
import type { LoadedSession, Receipt, Store } from '../store/store.ts'
import { lastRequestIn, openSession } from './session.ts'

/** One result of a tool, before its agent sends it to the model. The rest of the context is not known. */
export interface FreshOutput {
  /** The session in which the outputs of its conversation are kept; when that is full, in those numbered after it. */
  readonly session: string
  /** The agent's name in the store. */
  readonly origin: string
  readonly cwd: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** What the user asked last; null when it is not known. */
  readonly prompt: string | null
  readonly tool: string
  readonly call: string
  /** The call's input, as JSON. */
  readonly input: string
  readonly text: string
  /** The command that restores an original. */
  readonly restore: string
}

/**
 * Only digests of large outputs, which do not depend on the rest of the context. A pointer does, because what it names must
 * still be visible.
 */
export function admissionSettings(config: Config): Settings {
  const { enabled, admission, protectedTools, protectedFilePatterns } = resolveSettings(config)
  const { off } = presets
  const schedule = 'admission-only'
  return { ...off, enabled, admission, protectedTools, protectedFilePatterns, schedule }
}

/** Commands of one turn may end together, and each of their outputs waits for the others to be written. */
const patienceMs = 2_000
const longestPauseMs = 50
/** A session is loaded for each of its outputs, so that a long conversation gets several. */
const mostOutputs = 20

/**
 * The text in place of a fresh output; null when it stays as it is. Its original and a receipt are in the store before
 * this returns.
 *
 * @throws PalimpsestError when the store cannot be written.
 */
export async function admitOutput(
  store: Store,
  config: Config,
  output: FreshOutput,
): Promise<string | null> {
  const settings = admissionSettings(config)
  if (!settings.enabled || !settings.admission.enabled) return null
  if (output.text.length <= settings.admission.wholeChars) return null
  const { cwd, restore } = output
  const maker = createEngineMaker(config, { settings, bindsUnknown: false })
  const until = performance.now() + patienceMs
  do {
    const loaded = await loadNewest(store, output)
    const { id } = loaded.session
    // Commands may end in the same millisecond, and two requests of one time would count as one.
    const at = Math.max(output.at, 1 + (lastRequestIn(loaded.ledger)?.at ?? -1))
    const place = { cwd, model: null }
    const session = openSession({ id, maker, place, stored: { store, loaded } })
    // A history of its own: going on with the one before would make the digests of all earlier outputs again.
    const messages = messagesOf(output)
    const { changes, receipt, commit } = session.turn({ messages }, { at, model: null, restore })
    const change = changes.find(({ message }) => message === messages.length - 1)
    if (change?.text == null || receipt.fault !== null) return null
    if ((await commit()).kind === 'done') {
      await session.commit({ receipts: [receiptOf({ ...output, at }, receipt.turn, change.text)] })
      return change.text
    }
    // Another call of the same turn has written first. Pauses of one length would let them meet again.
    await setTimeout(Math.random() * longestPauseMs)
  } while (performance.now() < until)
  return null
}

/** The conversation's newest session, or the next one when that is full. */
async function loadNewest(store: Store, output: FreshOutput): Promise<LoadedSession> {
  const { session: first, origin, cwd: folder } = output
  const idOf = (each: number): string => (each === 1 ? first : `${first}.${each}`)
  const exists = async (each: number): Promise<boolean> =>
    (await store.findSession({ id: idOf(each) })) !== null
  const open = async (number: number): Promise<LoadedSession> => {
    const parent = number === 1 ? null : first
    return store.load(await store.openSession({ id: idOf(number), parent, origin, folder }))
  }
  const number = await lastThat(exists)
  const newest = await open(number)
  const outputs = newest.messages.filter(({ draft }) => draft.role === 'tool').length
  return outputs < mostOutputs ? newest : open(number + 1)
}

/** The last number that holds, of numbers that hold from 1 on: doubles until one does not, and then halves the rest. */
async function lastThat(holds: (number: number) => Promise<boolean>): Promise<number> {
  let beyond = 2
  while (await holds(beyond)) beyond *= 2
  let last = beyond / 2
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2)
    if (await holds(middle)) last = middle
    else beyond = middle
  }
  return last
}

/** Without dollars: neither the model nor its usage is known. */
function receiptOf({ at, origin, text }: FreshOutput, turn: number, shown: string): Receipt {
  const tokens = { before: estimateTokens(text), after: estimateTokens(shown) }
  return { kind: 'request', door: 'hook', at, agent: origin, turn, tokens }
}

function messagesOf({ prompt, tool, call, input, text }: FreshOutput): readonly MessageDraft[] {
  return [
    ...(prompt === null
      ? []
      : [{ role: 'user', items: [{ kind: 'text', text: prompt }] } as const]),
    { role: 'assistant', items: [{ kind: 'call', tool, call, text: input }] },
    { role: 'tool', items: [{ kind: 'result', tool, call, text, status: 'ok' }] },
  ]
}
