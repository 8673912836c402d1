import { PalimpsestError } from '../core/words/errors.ts'
import { createQueue } from '../store/queue.ts'

/** Something that is opened when it is first needed. */
export interface Resource<Part> {
  /** Opens it for a caller that holds on to it until `close`. Rejects when that fails; the next call tries again. */
  open(): Promise<Part>
  /** Lends it to one caller at a time. After its store failed it is opened again, unless a caller holds it. */
  use<Result>(work: (part: Part) => Result | Promise<Result>): Promise<Result>
  /** Closes it when no caller uses it any more. */
  close(): Promise<void>
}

export function createResource<Part>(
  open: () => Promise<Part>,
  shut: (part: Part) => void | Promise<void>,
): Resource<Part> {
  const queue = createQueue()
  let opened: Promise<Part> | null = null
  let isHeld = false

  function part(): Promise<Part> {
    if (opened !== null) return opened
    const opening = open()
    opened = opening
    opening.catch(() => {
      if (opened === opening) opened = null
    })
    return opening
  }

  async function drop(): Promise<void> {
    const dropped = opened
    opened = null
    isHeld = false
    if (dropped !== null) await shut(await dropped)
  }

  return {
    open() {
      isHeld = true
      return part()
    },
    use: (work) =>
      queue.run(async () => {
        const lent = await part()
        try {
          return await work(lent)
        } catch (error) {
          // The store may work again, but not through a connection that is lost.
          if (!isHeld && isStoreFailure(error)) await drop().catch(() => {})
          throw error
        }
      }),
    close: () => queue.run(drop),
  }
}

function isStoreFailure(error: unknown): boolean {
  return PalimpsestError.is(error) && error.code.startsWith('store-')
}
