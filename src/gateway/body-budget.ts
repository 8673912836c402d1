/**
 * Counts the bytes of bodies that are in memory until they are decided about. Nobody waits for space: a body that finds none is
 * forwarded while it arrives.
 */
export interface BodyBudget {
  /** The part of one body. */
  share(): BodyShare
}

export interface BodyShare {
  /** False when there is no space. */
  take(bytes: number): boolean
  /** Gives back all that was taken. */
  release(): void
}

export function createBodyBudget(limitBytes: number): BodyBudget {
  let usedBytes = 0
  return {
    share() {
      let ownBytes = 0
      return {
        take(bytes) {
          if (usedBytes + bytes > limitBytes) return false
          usedBytes += bytes
          ownBytes += bytes
          return true
        },
        release() {
          usedBytes -= ownBytes
          ownBytes = 0
        },
      }
    },
  }
}
