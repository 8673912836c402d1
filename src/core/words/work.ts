/** Long work that can wait at each `yield`, so that a process that serves others can answer them in between. */
export type Work<Result> = Generator<undefined, Result, undefined>

/** Does the work without a pause, where nobody waits for anything else. */
export function finish<Result>(work: Work<Result>): Result {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}
