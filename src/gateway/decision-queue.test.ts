import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDecisionQueue } from './decision-queue.ts'

const known = { isKnown: true, mayPass: () => true }
const unknown = { isKnown: false, mayPass: () => true }

describe('the queue of decisions', () => {
  it('gives each round of the event loop one turn', async () => {
    const queue = createDecisionQueue()
    let rounds = 0
    let isOver = false
    const counting = (async () => {
      while (!isOver) {
        await immediate()
        rounds++
      }
    })()
    const taken = await Promise.all(
      Array.from({ length: 5 }, async () => {
        await queue.turn(known)
        return rounds
      }),
    )
    isOver = true
    await counting
    expect(new Set(taken).size).toBe(5)
  })

  it('takes sessions in memory first, and lets nobody wait long for the others', async () => {
    let at = 0
    const queue = createDecisionQueue(() => at)
    const order: string[] = []
    const enter = async (name: string, request: typeof known): Promise<void> => {
      const isDecided = await queue.turn(request)
      order.push(`${name} ${isDecided ? 'decided' : 'passed'}`)
      // Each decision takes this long.
      if (isDecided) at += 400
    }
    const bound = { isKnown: false, mayPass: () => false }
    await Promise.all([
      enter('a', unknown),
      enter('b', unknown),
      enter('c', bound),
      enter('d', known),
      enter('e', unknown),
      enter('f', known),
      enter('g', known),
    ])
    expect(order).toEqual([
      'a decided',
      'd decided',
      'f decided',
      'b passed',
      'e passed',
      'g decided',
      'c decided',
    ])
    expect(await queue.turn(unknown)).toBe(true)
  })
})
