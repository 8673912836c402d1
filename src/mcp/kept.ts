import { PalimpsestError } from '../core/words/errors.ts'

/** Something that is opened when it is first needed, used by one at a time, and opened anew after its store failed. */
export interface Kept<Part> {
  use<Result>(work: (part: Part) => Result | Promise<Result>): Promise<Result>
  /** Once whoever uses it has finished. */
  close(): Promise<void>
}

export function keep<Part>(
  open: () => Promise<Part>,
  shut: (part: Part) => void | Promise<void>,
): Kept<Part> {
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
          // What failed may work again, but not through a connection that is lost.
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
