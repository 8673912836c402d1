import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/store/index.ts'
import { plainAnswer } from './recording-upstream.ts'
import { type Reply, type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const bodies = storyBodies('anthropic', { turns: 6 })
const other = storyBodies('anthropic', { turns: 6, word: 'beta' })

const settings: Setting[] = []
afterEach(async () => {
  for (const setting of settings.splice(0)) await setting.stop()
})

async function start(memoryBytes?: number): Promise<Setting> {
  const setting = await startSetting(memoryBytes === undefined ? {} : { memoryBytes })
  settings.push(setting)
  return setting
}

function turn(setting: Setting, session: string, body: string | undefined): Promise<Reply> {
  return setting.post(paths.anthropic, body ?? '', { 'x-session-id': session })
}

async function receiptsOf({ store }: Setting, id: string, count: number): Promise<Receipt[]> {
  for (let tries = 0; ; tries++) {
    const stored = (await store.sessions()).find((session) => session.id === id)
    const receipts = stored === undefined ? [] : [...(await store.receipts(stored))]
    if (receipts.length >= count || tries > 300) return receipts
    await sleep(10)
  }
}

describe('a session that is put away while its answer is on its way', () => {
  it('has the figures of the answer kept, and goes on in the same bytes', async () => {
    // There is room for one session.
    const setting = await start(1)
    let answer: () => void = () => {}
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve
    })
    setting.upstream.answerWith(async (response, received) => {
      await isHeld
      await plainAnswer(response, received)
    })
    const first = turn(setting, 'long', bodies[4])
    while (setting.upstream.received.length === 0) await sleep(5)
    setting.upstream.answerWith(plainAnswer)
    await turn(setting, 'beside', other[4])
    expect(setting.gateway.status().sessions).toBe(1)
    // It is loaded anew, and has gone on before its earlier answer is over.
    await turn(setting, 'long', bodies[5])
    answer()
    await first
    await turn(setting, 'long', bodies[6])

    const receipts = await receiptsOf(setting, 'long', 3)
    expect(receipts.map(({ bypass, usage }) => ({ bypass, usage }))).toEqual(
      Array.from({ length: 3 }, () => ({
        bypass: null,
        usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 },
      })),
    )
    expect(setting.faults).toEqual([])
    const undisturbed = await start()
    for (const body of bodies.slice(4)) await turn(undisturbed, 'long', body)
    const sent = setting.upstream.received.map(({ sha256 }) => sha256)
    expect([sent[0], sent[2], sent[3]]).toEqual(
      undisturbed.upstream.received.map(({ sha256 }) => sha256),
    )
  })
})
