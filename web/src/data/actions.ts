import { signal } from '@preact/signals'
import type { ActionResult, PauseRequest, PauseState } from '../../../src/dashboard/types.ts'
import { post } from './api.ts'
import { status } from './live.ts'

/** The outcome of the last action, for the message at the bottom of the page. */
export const notice = signal<ActionResult | null>(null)

/** Runs an action on the gateway and reports its outcome. */
export async function act<Result extends ActionResult>(
  path: string,
  body: unknown,
): Promise<Result | null> {
  try {
    const result = await post<Result>(path, body)
    notice.value = result
    return result
  } catch (fault) {
    notice.value = { ok: false, message: fault instanceof Error ? fault.message : String(fault) }
    return null
  }
}

/** Pauses or resumes pruning, for everything or for one session. */
export async function setPaused(paused: boolean, session?: string): Promise<void> {
  const what = session === undefined ? 'Pruning' : 'Pruning of this session'
  try {
    const body: PauseRequest = session === undefined ? { paused } : { paused, session }
    const pause = await post<PauseState>('/pause', body)
    if (status.value !== null) status.value = { ...status.value, pause }
    notice.value = { ok: true, message: `${what} is ${paused ? 'paused' : 'on again'}.` }
  } catch (fault) {
    notice.value = { ok: false, message: fault instanceof Error ? fault.message : String(fault) }
  }
}
