import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Comparison, FileList, Money, SessionDetail } from '../../src/dashboard/types.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { storeRecording } from '../../src/replay/store-recording.ts'
import { paths, storyBodies, storyMessages } from '../gateway/story.ts'
import { type ServedDashboard, serveDashboard } from './served-dashboard.ts'

const turns = 500
/** A comparison runs a session again a dozen times. */
const comparedTurns = 100
const everyMs = 25
const minutes = 60_000
let served: ServedDashboard

beforeAll(async () => {
  served = await serveDashboard()
  for (const recording of [recordingOf('long', turns), recordingOf('short', comparedTurns)])
    await storeRecording(served.setting.store, recording, { toolMappings: [], warnings: [] })
}, 3 * minutes)

afterAll(() => served.stop())

/** A session with a request for each of its turns. */
function recordingOf(session: string, length: number): Recording {
  const messages = storyMessages({ turns: length, word: session }).at(-1) ?? []
  return {
    format: 'claude-code',
    session,
    parent: null,
    model: 'claude-sonnet-4-5',
    cwd: '/project',
    events: messages.map((message) => ({ kind: 'message', message })),
    messages: messages.length,
    subagentRecords: 0,
  }
}

/**
 * Model requests at a fixed pace until `work` is done; how long each took from the moment when it was due, so that one
 * that could not even be sent counts as late.
 */
async function latenciesDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const [body = ''] = storyBodies('anthropic', { turns: 3, word: 'plain' }).slice(-1)
  const answers: Promise<number>[] = []
  let isDone = false
  const stop = (): void => {
    isDone = true
  }
  work.then(stop, stop)
  const start = performance.now()
  for (let due = start; !isDone; due += everyMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const sent = served.setting.post(paths.anthropic, body, {
      'x-session-id': 'plain',
      'x-api-key': 'k',
    })
    answers.push(
      sent.then(({ status }) => {
        expect(status).toBe(200)
        return performance.now() - due
      }),
    )
  }
  return Promise.all(answers)
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY
}

it(
  'answers model requests while a long session is opened and compared',
  async () => {
    const idle = percentile95(
      await latenciesDuring(new Promise((resolve) => setTimeout(resolve, 1_500))),
    )
    const reading = Promise.all([
      served.get<SessionDetail>('/sessions/1'),
      served.get<Comparison>('/sessions/2/compare'),
      served.get<FileList>('/sessions/1/files'),
      served.get<Money>('/sessions/2/money'),
    ])
    const latencies = await latenciesDuring(reading)
    const [detail, comparison, { files }, money] = await reading
    expect(detail.requests.length).toBeGreaterThanOrEqual(turns)
    expect(comparison.requests).toBeGreaterThanOrEqual(comparedTurns)
    expect(files.length).toBeGreaterThan(0)
    expect(money.cache.length).toBeGreaterThanOrEqual(comparedTurns)
    expect(latencies.length).toBeGreaterThan(20)
    expect(percentile95(latencies)).toBeLessThan(250 + 5 * idle)
  },
  5 * minutes,
)

it('reads a live session for an open page at most once a second', async () => {
  const response = await fetch(`${served.setting.gateway.url}/palimpsest/api/events`)
  const start = performance.now()
  await latenciesDuring(new Promise((resolve) => setTimeout(resolve, 3_000)))
  const reader = response.body?.getReader()
  let text = ''
  let seconds = 0
  // The last change arrives too.
  while (seconds < 5) {
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, 2_000, null))
    const part = await Promise.race([reader?.read(), timeout])
    seconds = (performance.now() - start) / 1_000
    if (part?.value === undefined) break
    text += new TextDecoder().decode(part.value)
  }
  await reader?.cancel()
  const readings = text.match(/"kind":"request"/g)?.length ?? 0
  expect(readings).toBeGreaterThanOrEqual(2)
  expect(readings).toBeLessThanOrEqual(1 + seconds)
}, 60_000)
