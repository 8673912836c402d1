/**
 * Limits how many bytes of bodies are in memory while requests are received and decided about. A request that does not fit
 * waits with its body still in the network.
 */
export interface BodyBudget {
  /** Resolves when this many bytes are available. Call the result to release them. */
  reserve(bytes: number): Promise<() => void>
}

const defaultBytes = 8 * 1024 * 1024
/** A client that stops in the middle of its body holds up others no longer than this. */
const patienceMs = 2_000

export function createBodyBudget(limitBytes: number = defaultBytes): BodyBudget {
  const waiting = new Set<() => void>()
  let usedBytes = 0

  function enter(bytes: number): () => void {
    usedBytes += bytes
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      usedBytes -= bytes
      wakeNext()
    }
  }

  function wakeNext(): void {
    const [next] = waiting
    next?.()
  }

  return {
    reserve(bytes) {
      const fits = (): boolean => usedBytes === 0 || usedBytes + bytes <= limitBytes
      if (waiting.size === 0 && fits()) return Promise.resolve(enter(bytes))
      return new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer)
          waiting.delete(tryNow)
          resolve(enter(bytes))
          wakeNext()
        }
        const tryNow = (): void => {
          if (fits()) go()
        }
        const timer = setTimeout(go, patienceMs)
        waiting.add(tryNow)
      })
    },
  }
}
