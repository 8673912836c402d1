import type { Work } from '../replay/work.ts'

/** Runs long work in short slices, so that the process serves model requests in between. */
export interface Slices {
  /** Readings that run at the same time take turns. */
  run<Result>(work: Work<Result>): Promise<Result>
}

const sliceMs = 8
/** A request needs several rounds of the event loop, so the next slice waits until some of them are idle. */
const quietRounds = 3
const quietRoundMs = 0.2
/** After this time it continues even if the gateway is never idle. */
const longestRestMs = 60

export function createSlices(): Slices {
  const underWay: (() => boolean)[] = []
  let isResting = false

  function rest(): void {
    if (isResting || underWay.length === 0) return
    isResting = true
    // A timer lets answers of other processes arrive.
    setTimeout(() => awaitQuiet(performance.now(), 0), 1)
  }

  function awaitQuiet(since: number, quiet: number): void {
    const before = performance.now()
    setImmediate(() => {
      const now = performance.now()
      const count = now - before < quietRoundMs ? quiet + 1 : 0
      if (count < quietRounds && now - since < longestRestMs) return awaitQuiet(since, count)
      isResting = false
      const slice = underWay.shift()
      if (slice?.() === false) underWay.push(slice)
      rest()
    })
  }

  return {
    run<Result>(work: Work<Result>) {
      return new Promise<Result>((resolve, reject) => {
        underWay.push(() => {
          const end = performance.now() + sliceMs
          try {
            do {
              const step = work.next()
              if (step.done === true) {
                resolve(step.value)
                return true
              }
            } while (performance.now() < end)
            return false
          } catch (error) {
            reject(error)
            return true
          }
        })
        rest()
      })
    },
  }
}
