/**
 * Lets one request be decided about in each round of the event loop, so that answers go on streaming between two of them.
 */
export interface DecisionQueue {
  /** Resolves with how long it waited, in milliseconds, when it is the request's turn. */
  turn(): Promise<number>
}

export function createDecisionQueue(): DecisionQueue {
  const waiting: (() => void)[] = []
  let isBusy = false

  function next(): void {
    const go = waiting.shift()
    isBusy = go !== undefined
    if (go === undefined) return
    setImmediate(next)
    go()
  }

  return {
    turn() {
      const since = performance.now()
      return new Promise((resolve) => {
        waiting.push(() => resolve(performance.now() - since))
        if (isBusy) return
        next()
      })
    },
  }
}
