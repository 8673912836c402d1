import type { Config } from '../config/config.ts'
import { createEngineMaker } from '../config/engine-maker.ts'
import type { Recording } from '../recordings/recording.ts'
import { openSession, type Session, type SessionOptions } from '../session/session.ts'

export interface RecordedSessionOptions {
  readonly config: Config
  /** What placeholders name; `context_restore` when left out, because a recording does not say what the agent had. */
  readonly restore?: string
  /** Called with every error inside the engine. The affected request was sent unchanged. */
  readonly onFault?: ((fault: unknown) => void) | undefined
  /** Where the session is kept; nowhere when left out. */
  readonly stored?: SessionOptions['stored']
}

/** The session that would have run beside a recorded one. */
export function sessionFor(
  { session, cwd, model }: Recording,
  { config, restore = 'context_restore', onFault, stored = null }: RecordedSessionOptions,
): Session {
  const maker = createEngineMaker(config, { bindsUnknown: false, restore: { tool: restore } })
  return openSession({ id: session ?? '', maker, place: { cwd, model }, stored, onFault })
}
