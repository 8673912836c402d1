const shortestHandle = 6
/** For callers whose contract requires this many hex digits. */
export const longHandle = 24

/**
 * Assigns handles: the first six hex digits, or more when another item has that handle. The same digits always get the
 * same handle, so the same content keeps its handle on every branch.
 */
export interface Handles {
  name(digits: string): string
}

/** The handle of an item unless another item of the session has it. */
export function usualHandle(digits: string, shortest: number = shortestHandle): string {
  return digits.slice(0, shortest)
}

export function createHandles(shortest: number = shortestHandle): Handles {
  const digitsByHandle = new Map<string, string>()
  return {
    name(digits: string): string {
      for (let length = shortest; length <= digits.length; length++) {
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
