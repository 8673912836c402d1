import { performance } from 'node:perf_hooks'

/**
 * Starts one decision in each round of the event loop, so that open answers keep streaming in between. Sessions in memory take
 * a few milliseconds and come first. Others must be loaded, which takes far longer: a request that waits too long for that
 * is sent undecided.
 */
export interface DecisionQueue {
  /** The moment in which a request arrives, before its body is read: most of the waiting is done there. */
  arrival(): Arrival
  /** True when it is the request's turn; false when it should be sent undecided. */
  turn(request: QueuedRequest): Promise<boolean>
}

export interface QueuedRequest {
  readonly arrived: Arrival
  /** Whether its session is in memory. */
  readonly isKnown: boolean
  /** Whether its provider certainly accepts the original. Only called after it has waited too long. */
  mayPass(): boolean
}

/** A moment, and how long the event loop had been busy until then, in milliseconds. */
export interface Arrival {
  readonly at: number
  readonly busy: number
}

interface Waiting extends QueuedRequest {
  go(isDecided: boolean): void
}

const patienceMs = 2_000
/** A request has waited for us, and not for its client, if the event loop was busy for this share of the time. */
const leastBusy = 0.9
/** Rounds of the event loop before a long decision, in which the bodies of other requests are read. */
const readingRounds = 8

export function createDecisionQueue(now: () => Arrival = loopTime): DecisionQueue {
  const first: Waiting[] = []
  const second: Waiting[] = []
  let isBusy = false
  let rounds = 0

  function next(): void {
    letPass()
    const isReading = first.length === 0 && second.length > 0 && rounds < readingRounds
    const request = isReading ? undefined : (first.shift() ?? second.shift())
    rounds = isReading ? rounds + 1 : 0
    isBusy = isReading || request !== undefined
    if (isBusy) setImmediate(next)
    request?.go(true)
  }

  function letPass(): void {
    const moment = now()
    for (const request of second.splice(0)) {
      if (!hasWaited(request.arrived, moment)) second.push(request)
      else if (request.mayPass()) request.go(false)
      else first.push(request)
    }
  }

  return {
    arrival: now,
    turn: (request) =>
      new Promise((go) => {
        const queue = request.isKnown ? first : second
        queue.push({ ...request, go })
        if (isBusy) return
        isBusy = true
        setImmediate(next)
      }),
  }
}

/** A request with its place in the queue. */
export interface QueuedWork<Request> {
  readonly request: Request
  readonly queued: QueuedRequest
}

/** Decides when it is the request's turn; null when it should be sent undecided. */
export function decideInTurn<Request, Decided>(
  queue: DecisionQueue,
  decide: (request: Request) => Promise<Decided>,
): (work: QueuedWork<Request>) => Promise<Decided | null> {
  return async ({ request, queued }) => ((await queue.turn(queued)) ? decide(request) : null)
}

function hasWaited({ at, busy }: Arrival, now: Arrival): boolean {
  const waited = now.at - at
  return waited >= patienceMs && now.busy - busy >= leastBusy * waited
}

function loopTime(): Arrival {
  return { at: performance.now(), busy: performance.eventLoopUtilization().active }
}
