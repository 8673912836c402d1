import { signal } from '@preact/signals'
import { type ApiError, apiRoot, type ReportData } from '../../../src/dashboard/types.ts'
import { type EmbeddedReport, readEmbedded } from './embedded-report.ts'

/** An error with a message for people. `status` is 0 when the gateway did not answer. */
export class RequestFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const tokenKey = 'palimpsest-token'
const tokenHeader = 'x-palimpsest-token'

/** The token that allows changes; null when the page was opened without it. */
export const token = signal<string | null>(null)

/** The report inside this file; null in the gateway's dashboard. */
export const report = signal<EmbeddedReport | null>(null)

/** Takes the token from the address, where `serve` prints it, and removes it from there. */
export function takeToken(): void {
  const given = /^#token=([^&]+)/.exec(location.hash)?.[1]
  try {
    if (given !== undefined) sessionStorage.setItem(tokenKey, decodeURIComponent(given))
    token.value = sessionStorage.getItem(tokenKey)
  } catch {
    // Storage is switched off: the token lasts until the page is closed.
    token.value = given === undefined ? null : decodeURIComponent(given)
  }
  if (given !== undefined) history.replaceState(null, '', '#/')
}

/** Reads the data of a report file, when this is one. */
export async function openReport(): Promise<void> {
  const element = document.getElementById('report-data')
  if (element === null) return
  const data = JSON.parse(await readEmbedded(element.textContent ?? '')) as ReportData
  report.value = { answers: data.answers }
}

export async function get<Answer>(path: string): Promise<Answer> {
  const embedded = report.value
  if (embedded !== null) {
    const answer = embedded.answers[path]
    if (answer === undefined)
      throw new RequestFailure(404, 'This report does not contain it. Open the live dashboard.')
    return answer as Answer
  }
  return send<Answer>(path, { headers: headers() })
}

export function post<Answer>(path: string, body: unknown): Promise<Answer> {
  return send<Answer>(path, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** The gateway's live events, as a stream of text. */
export async function openEvents(
  path: string,
  stop: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  const response = await fetch(apiRoot + path, { headers: headers(), signal: stop })
  return response.ok ? response.body : null
}

function headers(): Record<string, string> {
  return token.value === null ? {} : { [tokenHeader]: token.value }
}

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(apiRoot + path, init)
  } catch {
    throw new RequestFailure(0, 'The gateway does not answer. Is `palimpsest serve` running?')
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Answer
  const said = (answer as ApiError | null)?.error?.message
  throw new RequestFailure(response.status, said ?? `The gateway answered ${response.status}.`)
}
