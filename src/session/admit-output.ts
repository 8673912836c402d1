import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import { presets } from '../config/presets.ts'
import { resolveSettings } from '../config/resolve.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Store } from '../store/store.ts'
import { openSession } from './session.ts'

/** One result of a tool, before its agent sends it to the model. The rest of the context is not known. */
export interface FreshOutput {
  /** The session in which the outputs of its conversation are kept. */
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

const mostTries = 4

/**
 * The text in place of a fresh output; null when it stays as it is. Its original is in the store before this returns.
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
  const { session: id, at, cwd, origin, restore } = output
  const maker = createEngineMaker(config, { settings, bindsUnknown: false })
  for (let tries = 0; tries < mostTries; tries++) {
    const loaded = await store.load(await store.openSession({ id, origin, folder: cwd }))
    const place = { cwd, model: null }
    const session = openSession({ id, maker, place, stored: { store, loaded } })
    session.resume()
    const messages: readonly MessageDraft[] = [...session.history, ...messagesOf(output)]
    const { changes, receipt, commit } = session.turn({ messages }, { at, model: null, restore })
    const change = changes.find(({ message }) => message === messages.length - 1)
    if (change?.text == null || receipt.fault !== null) return null
    // Another call of the same turn may have written first.
    if ((await commit()).kind === 'done') return change.text
  }
  return null
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
