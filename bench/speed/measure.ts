import type { HostedSession, Pruner } from './host.ts'
import { median } from './median.ts'
import { processorMs } from './processor-time.ts'
import { createGrowingSession, type GrowingSession, sessionId } from './session.ts'

/** Milliseconds of processor time that one of the contestants took at one size. */
export interface Timing {
  readonly name: string
  /** The first request of a process that resumes the session. */
  readonly resumeMs: number
  /** The same the first time, before the code is compiled. */
  readonly firstResumeMs: number
  /** The request after one more step. */
  readonly turnMs: number
}

export interface MeasureOptions {
  readonly calls: number
  readonly passes: number
  readonly pruners: readonly Pruner[]
}

/** The least time for any pruner that reads and writes JSON. */
export const jsonLimit = 'reading and writing the JSON'

/** Measures in turns, so that a busy machine slows all of them equally. */
export async function measure(options: MeasureOptions): Promise<readonly Timing[]> {
  const { calls, passes, pruners } = options
  const session = createGrowingSession()
  session.grow(calls)
  const resumes = await resumeTimes(session.json(), options)
  const turns = await turnTimes(session, { passes, pruners })
  return [jsonLimit, ...pruners.map(({ name }) => name)].map((name, index) => {
    const [first = Number.NaN, ...later] = resumes[index] ?? []
    return {
      name,
      firstResumeMs: first,
      resumeMs: later.length === 0 ? first : median(later),
      turnMs: median(turns[index] ?? []),
    }
  })
}

async function resumeTimes(
  json: string,
  { passes, pruners }: Pick<MeasureOptions, 'passes' | 'pruners'>,
): Promise<readonly (readonly number[])[]> {
  const times: number[][] = [[], ...pruners.map((): number[] => [])]
  for (let pass = 0; pass <= passes; pass++) {
    times[0]?.push(await limitTime(json))
    for (const [index, pruner] of pruners.entries()) {
      const messages = parseList(json)
      const taken = await processorMs(async () => {
        const opened = await pruner.open(sessionId)
        await opened.beforeRequest(messages)
      })
      times[index + 1]?.push(taken)
    }
  }
  return times
}

async function turnTimes(
  session: GrowingSession,
  { passes, pruners }: Pick<MeasureOptions, 'passes' | 'pruners'>,
): Promise<readonly (readonly number[])[]> {
  const opened: HostedSession[] = []
  for (const pruner of pruners) {
    const hosted = await pruner.open(sessionId)
    await hosted.beforeRequest(parseList(session.json()))
    opened.push(hosted)
  }
  const times: number[][] = [[], ...opened.map((): number[] => [])]
  for (let pass = 0; pass < passes; pass++) {
    session.grow(1)
    const json = session.json()
    times[0]?.push(await limitTime(json))
    for (const [index, hosted] of opened.entries()) {
      const messages = parseList(json)
      times[index + 1]?.push(await processorMs(() => hosted.beforeRequest(messages)))
    }
  }
  return times
}

async function limitTime(json: string): Promise<number> {
  let written = ''
  const taken = await processorMs(() => {
    written = JSON.stringify(JSON.parse(json))
  })
  if (written.length !== json.length) throw new Error('the JSON did not survive')
  return taken
}

function parseList(json: string): unknown[] {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) throw new Error('expected a list of messages')
  return parsed
}
