/** Runs one piece of work at a time, in order. Work that fails does not stop the next. */
export interface Queue {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createQueue(): Queue {
  let last: Promise<unknown> | null = null
  return {
    run(work) {
      const mine = last === null ? work() : last.then(work, work)
      last = mine
      const leave = (): void => {
        if (last === mine) last = null
      }
      mine.then(leave, leave)
      return mine
    },
  }
}

/** One queue for each name. */
export interface Queues {
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

export function createQueues(): Queues {
  const queues = new Map<string, { readonly queue: Queue; waiting: number }>()
  return {
    run(name, work) {
      const entry = queues.get(name) ?? { queue: createQueue(), waiting: 0 }
      queues.set(name, entry)
      entry.waiting++
      const leave = (): void => {
        if (--entry.waiting === 0) queues.delete(name)
      }
      const mine = entry.queue.run(work)
      mine.then(leave, leave)
      return mine
    },
  }
}
