import { describe, expect, it } from 'vitest'
import type { Pruner } from './host.ts'
import { jsonLimit, measure } from './measure.ts'
import { measurePeer, type PeerReport } from './measure-peer.ts'
import { palimpsest, type RequestWork } from './palimpsest.ts'
import { parseReport } from './peer-process.ts'
import { createGrowingSession, sessionId } from './session.ts'

function listAfter(calls: number): unknown[] {
  const session = createGrowingSession()
  session.grow(calls)
  return JSON.parse(session.json()) as unknown[]
}

/** Remembers how many messages each of its sessions was given. */
function counting(seen: number[][]): Pruner {
  return {
    name: 'counting',
    open: async () => {
      const lengths: number[] = []
      seen.push(lengths)
      return {
        beforeRequest: async (messages) => {
          lengths.push(messages.length)
          messages.length = 0
        },
      }
    },
  }
}

describe('a measurement', () => {
  it('resumes sessions that are new to the pruner, and then goes on by one step at a time', async () => {
    const seen: number[][] = []
    const timings = await measure({ calls: 10, passes: 3, pruners: [counting(seen)] })
    expect(timings.map(({ name }) => name)).toEqual([jsonLimit, 'counting'])
    expect(seen).toEqual([[11], [11], [11], [11], [11, 12, 13, 14]])
    expect(timings.every(({ resumeMs, turnMs }) => resumeMs >= 0 && turnMs >= 0)).toBe(true)
  })

  it('of a peer tells each time at once', async () => {
    const told: PeerReport[] = []
    await measurePeer(counting([]), 3, (report) => told.push(report))
    expect(told.map(({ kind }) => kind)).toEqual(['resume', 'turn'])
    expect(told.map((report) => parseReport(JSON.stringify(report)))).toEqual(told)
    expect(['noise', '{"kind":"other","ms":1}', 'null'].map(parseReport)).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('ours behind the hooks of the host', () => {
  it('changes the list in place, validly, and a second request only goes on', async () => {
    const work: RequestWork[] = []
    const pruner = palimpsest({ validates: true, onRequest: (each) => work.push(each) })
    const opened = await pruner.open(sessionId)
    const [before, after] = [listAfter(60), listAfter(61)]
    await opened.beforeRequest(before)
    await opened.beforeRequest(after)
    expect(before).not.toEqual(listAfter(60))
    expect(after.slice(0, before.length)).toEqual(before)
    expect(work.map(({ changes }) => changes > 20)).toEqual([true, true])
  })

  it('is given the same session in every run', () => {
    expect(listAfter(30)).toEqual(listAfter(30))
    expect(listAfter(31).slice(0, 32)).toEqual(listAfter(30))
  })
})
