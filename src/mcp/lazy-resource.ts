import { PalimpsestError } from '../core/errors.ts'

/** A resource that is opened on first use, used by one caller at a time, and reopened after a store failure. */
export interface LazyResource<Part> {
  use<Result>(work: (part: Part) => Result | Promise<Result>): Promise<Result>
  /** Waits for the current use. */
  close(): Promise<void>
}

export function lazyResource<Part>(
  open: () => Promise<Part>,
  shut: (part: Part) => void | Promise<void>,
): LazyResource<Part> {
  let opened: { readonly part: Part } | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function drop(): Promise<void> {
    const dropped = opened
    opened = undefined
    if (dropped !== undefined) await shut(dropped.part)
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }

  return {
    use: (work) =>
      inTurn(async () => {
        opened ??= { part: await open() }
        try {
          return await work(opened.part)
        } catch (error) {
          // The store may work again, but not through a lost connection.
          if (isStoreFailure(error)) await drop().catch(() => {})
          throw error
        }
      }),
    close: () => inTurn(drop),
  }
}

function isStoreFailure(error: unknown): boolean {
  return PalimpsestError.is(error) && error.code.startsWith('store-')
}
