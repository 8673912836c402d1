/**
 * Starts one decision in each round of the event loop, so that open answers keep streaming in between. Sessions in memory take
 * a few milliseconds and come first. Others must be loaded, which takes far longer: a request that waits too long for that
 * is sent undecided.
 */
export interface DecisionQueue {
  /** True when it is the request's turn; false when it should be sent undecided. */
  turn(request: QueuedRequest): Promise<boolean>
}

export interface QueuedRequest {
  /** Whether its session is in memory. */
  readonly isKnown: boolean
  /** Whether its provider certainly accepts the original. Only called after it has waited too long. */
  mayPass(): boolean
}

interface Waiting extends QueuedRequest {
  readonly since: number
  go(isDecided: boolean): void
}

const patienceMs = 1_000

export function createDecisionQueue(now: () => number = () => performance.now()): DecisionQueue {
  const first: Waiting[] = []
  const second: Waiting[] = []
  let isBusy = false

  function next(): void {
    letPass()
    const request = first.shift() ?? second.shift()
    isBusy = request !== undefined
    if (request === undefined) return
    setImmediate(next)
    request.go(true)
  }

  function letPass(): void {
    for (let oldest = second[0]; oldest !== undefined; oldest = second[0]) {
      if (now() - oldest.since < patienceMs) return
      second.shift()
      if (oldest.mayPass()) oldest.go(false)
      else first.push(oldest)
    }
  }

  return {
    turn: (request) =>
      new Promise((go) => {
        const queue = request.isKnown ? first : second
        queue.push({ ...request, since: now(), go })
        if (!isBusy) next()
      }),
  }
}
