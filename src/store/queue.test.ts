import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createQueue, createQueues } from './queue.ts'

describe('a queue', () => {
  it('runs one piece of work at a time, in order, also after one that failed', async () => {
    const queue = createQueue()
    const log: string[] = []
    const work = (name: string, ms: number) => async (): Promise<string> => {
      log.push(`${name} begins`)
      await sleep(ms)
      log.push(`${name} ends`)
      if (name === 'b') throw new Error('b failed')
      return name
    }
    const all = [queue.run(work('a', 15)), queue.run(work('b', 5)), queue.run(work('c', 0))]
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(await queue.run(work('d', 0))).toBe('d')
  })

  it('begins at once when nothing is before it', () => {
    let hasBegun = false
    void createQueue().run(async () => {
      hasBegun = true
    })
    expect(hasBegun).toBe(true)
  })

  it('lets different names run side by side', async () => {
    const queues = createQueues()
    const log: string[] = []
    const held = queues.run('one', async () => {
      await sleep(30)
      log.push('one')
    })
    const next = queues.run('one', async () => void log.push('one again'))
    await queues.run('other', async () => void log.push('other'))
    await Promise.all([held, next])
    expect(log).toEqual(['other', 'one', 'one again'])
  })
})
