export interface Pauses {
  /** Something happened: the pause begins anew. */
  stirred(): void
  end(): void
}

/** Calls once when something happened and nothing has for so long. Does not keep the process alive. */
export function watchForPauses(pauseMs: number, onPause: () => void): Pauses {
  let timer: NodeJS.Timeout | null = null
  let stirredAt = 0
  function look(): void {
    const restMs = stirredAt + pauseMs - performance.now()
    timer = null
    if (restMs > 0) wait(restMs)
    else onPause()
  }
  function wait(ms: number): void {
    timer = setTimeout(look, ms)
    timer.unref()
  }
  return {
    stirred() {
      stirredAt = performance.now()
      if (timer === null) wait(pauseMs)
    },
    end() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
