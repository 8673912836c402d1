/** Long work that pauses at each `yield`, so that a server can answer other requests in between. */
export type Work<Result> = Generator<undefined, Result, undefined>

/** Runs the work to its end without pauses. */
export function finish<Result>(work: Work<Result>): Result {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}
