/**
 * Room for bodies that are received and decided about. Whoever finds none waits with its body still in the network, so
 * that many sessions at once do not have all of theirs in memory.
 */
export interface BodyRoom {
  /** Resolves when there is room for so many bytes, and gives what has to be called when it is no longer needed. */
  take(bytes: number): Promise<() => void>
}

const defaultBytes = 8 * 1024 * 1024
/** A client that stops in the middle of its body does not hold up others for longer. */
const patienceMs = 2_000

export function createBodyRoom(limitBytes: number = defaultBytes): BodyRoom {
  const waiting = new Set<() => void>()
  let usedBytes = 0

  function enter(bytes: number): () => void {
    usedBytes += bytes
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      usedBytes -= bytes
      const [next] = waiting
      next?.()
    }
  }

  return {
    take(bytes) {
      const fits = (): boolean => usedBytes === 0 || usedBytes + bytes <= limitBytes
      if (waiting.size === 0 && fits()) return Promise.resolve(enter(bytes))
      return new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve(enter(bytes))
          const [next] = waiting
          next?.()
        }
        const look = (): void => {
          if (fits()) go()
        }
        const timer = setTimeout(go, patienceMs)
        waiting.add(look)
      })
    },
  }
}
