import { setImmediate as immediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createDecisionQueue } from './decision-queue.ts'

it('gives each round of the event loop one turn, and says how long each waited', async () => {
  const queue = createDecisionQueue()
  let rounds = 0
  let isOver = false
  const counting = (async () => {
    while (!isOver) {
      await immediate()
      rounds++
    }
  })()
  const turns = Array.from({ length: 5 }, async () => {
    const waitedMs = await queue.turn()
    const until = performance.now() + 5
    while (performance.now() < until);
    return { round: rounds, waitedMs }
  })
  const taken = await Promise.all(turns)
  isOver = true
  await counting
  expect(new Set(taken.map(({ round }) => round)).size).toBe(5)
  expect(taken[0]?.waitedMs).toBeLessThan(5)
  expect(taken[4]?.waitedMs).toBeGreaterThanOrEqual(20)
  expect(await queue.turn()).toBeLessThan(5)
})
