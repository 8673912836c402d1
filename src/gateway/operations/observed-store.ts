import type { Store } from '../../store/index.ts'

/** Gets each finished call of the store. `fault` is null for one that succeeded. */
export type StoreObserver = (operation: string, milliseconds: number, fault: unknown) => void

/** The same store, with the calls that requests wait for observed. */
export function observedStore(store: Store, observe: StoreObserver): Store {
  const observed =
    <Args extends readonly unknown[], Result>(
      operation: string,
      call: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      const from = performance.now()
      try {
        const result = await call(...args)
        observe(operation, performance.now() - from, null)
        return result
      } catch (fault) {
        observe(operation, performance.now() - from, fault)
        throw fault
      }
    }
  return {
    ...store,
    openSession: observed('open', store.openSession),
    findSession: observed('find', store.findSession),
    sessionsWith: observed('relate', store.sessionsWith),
    append: observed('append', store.append),
    load: observed('load', store.load),
  }
}
