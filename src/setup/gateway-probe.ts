import { objectOf } from '../core/words/json.ts'

/** A gateway of ours that answers at an address. */
export interface FoundGateway {
  readonly url: string
  readonly version: string | null
  /** Where it keeps sessions; null for one that does not say, such as that of `run`. */
  readonly store: string | null
  readonly requests: number
  /** Why its store does not work; null when it does. */
  readonly storeProblem: string | null
  /** How often the file of its store was lost. */
  readonly storeRenewals: number
  /** The promises that checked requests broke, and how often; see `verify`. */
  readonly breaches: Readonly<Record<string, number>>
  readonly startedAt: number
}

/** `other`: something else answers there. null: nothing does. */
export async function probeGateway(
  url: string,
  timeoutMs = 2_000,
): Promise<FoundGateway | 'other' | null> {
  const status = await getJson(`${url}/palimpsest/status`, timeoutMs)
  if (status === null || status === 'other') return status
  const { requests, startedAt, storeProblem, storeRenewals, verified } = status
  if (typeof requests !== 'number' || typeof startedAt !== 'number') return 'other'
  const detail = await getJson(`${url}/palimpsest/api/status`, timeoutMs)
  const { version, store } = detail === null || detail === 'other' ? {} : detail
  return {
    url,
    requests,
    startedAt,
    storeProblem: typeof storeProblem === 'string' ? storeProblem : null,
    storeRenewals: typeof storeRenewals === 'number' ? storeRenewals : 0,
    breaches: countsIn(objectOf(verified).breaches),
    version: typeof version === 'string' ? version : null,
    store: typeof store === 'string' ? store : null,
  }
}

function countsIn(value: unknown): Readonly<Record<string, number>> {
  const counts = Object.entries(objectOf(value))
  return Object.fromEntries(
    counts.filter((each): each is [string, number] => typeof each[1] === 'number'),
  )
}

async function getJson(
  url: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>> | 'other' | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) return 'other'
    return objectOf(await response.json().catch(() => null))
  } catch (error) {
    const { code } = objectOf((error as Error).cause)
    return code === 'ECONNREFUSED' ? null : 'other'
  }
}

/** Waits until a gateway answers; null when none does in time. */
export async function waitForGateway(url: string, timeoutMs: number): Promise<FoundGateway | null> {
  const end = Date.now() + timeoutMs
  while (Date.now() < end) {
    const found = await probeGateway(url, 1_000)
    if (found !== null && found !== 'other') return found
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  return null
}
