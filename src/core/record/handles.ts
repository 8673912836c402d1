const shortestHandle = 6

/**
 * Gives out the names of items: the first six of their hex digits, and one more for as long as another item has that
 * name. Digits that were named before get the name that they have, so the same content keeps its handle on every branch.
 */
export interface Handles {
  name(digits: string): string
}

/** The name that an item has unless another one of its session took it. */
export function usualHandle(digits: string): string {
  return digits.slice(0, shortestHandle)
}

export function createHandles(): Handles {
  const digitsByHandle = new Map<string, string>()
  return {
    name(digits: string): string {
      for (let length = shortestHandle; length <= digits.length; length++) {
        const handle = digits.slice(0, length)
        const owner = digitsByHandle.get(handle)
        if (owner === digits) return handle
        if (owner === undefined) {
          digitsByHandle.set(handle, digits)
          return handle
        }
      }
      return digits
    },
  }
}
