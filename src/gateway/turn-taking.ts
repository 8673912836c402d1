/** Has work on one thing wait for the work on it before; works on different things do not wait for each other. */
export interface TurnTaking {
  take<Result>(thing: string, work: () => Promise<Result>): Promise<Result>
}

export function createTurnTaking(): TurnTaking {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(thing, work) {
      const before = last.get(thing)
      const mine = before === undefined ? work() : before.then(work, work)
      last.set(thing, mine)
      const leave = (): void => {
        if (last.get(thing) === mine) last.delete(thing)
      }
      mine.then(leave, leave)
      return mine
    },
  }
}
