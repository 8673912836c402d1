import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDecisionQueue } from './decision-queue.ts'

const known = { isKnown: true, mayPass: () => true }
const unknown = { isKnown: false, mayPass: () => true }
const bound = { isKnown: false, mayPass: () => false }

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
        await queue.turn({ ...known, arrived: queue.arrival() })
        return rounds
      }),
    )
    isOver = true
    await counting
    expect(new Set(taken).size).toBe(5)
  })

  /** A queue whose decisions take 700 ms, and the order in which requests left it. */
  function queueOf(busyShare: number): {
    enter(name: string, request: typeof known): Promise<void>
    readonly order: readonly string[]
  } {
    let at = 0
    const queue = createDecisionQueue(() => ({ at, busy: at * busyShare }))
    const order: string[] = []
    return {
      order,
      async enter(name, request) {
        const isDecided = await queue.turn({ ...request, arrived: queue.arrival() })
        order.push(`${name} ${isDecided ? 'decided' : 'passed'}`)
        if (isDecided) at += 700
      },
    }
  }

  it('takes sessions in memory first, and lets nobody wait long for the others', async () => {
    const { enter, order } = queueOf(1)
    await Promise.all([
      enter('a', unknown),
      enter('b', unknown),
      enter('c', bound),
      enter('d', known),
      enter('e', unknown),
      enter('f', known),
    ])
    expect(order).toEqual([
      'd decided',
      'f decided',
      'a decided',
      'b passed',
      'e passed',
      'c decided',
    ])
  })

  it('decides about a request that came slowly, while there was little to do', async () => {
    const { enter, order } = queueOf(0.5)
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => enter(name, unknown)))
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name} decided`))
  })

  it('counts from the moment in which a request arrives, before its body is read', async () => {
    let at = 0
    const queue = createDecisionQueue(() => ({ at, busy: at }))
    const arrived = queue.arrival()
    at = 2_500
    expect(await queue.turn({ ...unknown, arrived })).toBe(false)
    expect(await queue.turn({ ...unknown, arrived: queue.arrival() })).toBe(true)
  })
})
