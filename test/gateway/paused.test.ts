import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPauses, type Pauses } from '../../src/config/pauses.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let home: string
let pauses: Pauses
let setting: Setting

afterEach(async () => {
  await setting.stop()
  rmSync(home, { recursive: true })
})

const bodies = storyBodies('anthropic', { turns: 24 })

async function send(from: number, to: number, session = 's'): Promise<readonly string[]> {
  const receipts: string[] = []
  for (const body of bodies.slice(from, to)) {
    const headers = { 'x-session-id': session, 'x-api-key': 'k' }
    const reply = await setting.post(paths.anthropic, body, headers)
    receipts.push(String(reply.headers['x-palimpsest']))
  }
  return receipts
}

const removed = (receipt: string | undefined): number => {
  const [, before, after] = /before=(\d+); after=(\d+)/.exec(receipt ?? '') ?? []
  return Number(before) - Number(after)
}

interface Conversation {
  readonly messages: readonly object[]
}

/** How many messages at the beginning of a request are the bytes of the request before. */
function sharedWithBefore(at: number): number {
  const [before, now] = [at - 1, at].map((each) => {
    const { messages } = JSON.parse(String(setting.upstream.received[each]?.body)) as Conversation
    return messages.map((message) => JSON.stringify(message))
  }) as [string[], string[]]
  return before.findIndex((message, index) => message !== now[index])
}

describe.each(['economic', 'eager'] as const)('pausing, %s', (schedule) => {
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'palimpsest-paused-'))
    pauses = openPauses(home)
    setting = await startSetting({ config: { schedule }, pauses })
  })

  it('leaves out nothing new, and leaves the bytes alone that are cached', async () => {
    const before = (await send(0, 13)).at(-1)
    expect(removed(before)).toBeGreaterThan(100)
    pauses.set('s', true)
    const paused = await send(13, 19)
    for (const [index, receipt] of paused.entries()) {
      expect(receipt).toMatch(/; paused$/)
      expect(removed(receipt)).toBe(removed(before))
      // -1: every message of the request before is at the beginning of this one.
      expect(sharedWithBefore(13 + index)).toBe(-1)
    }
    const { messages } = JSON.parse(String(setting.upstream.received.at(-1)?.body)) as Conversation
    const { messages: original } = JSON.parse(bodies[18] as string) as Conversation
    expect(messages.slice(25)).toEqual(original.slice(25))
  })

  it('goes on where it was after the pause, and prunes what came meanwhile', async () => {
    await send(0, 8)
    pauses.set(null, true)
    const during = (await send(8, 16)).at(-1)
    pauses.set(null, false)
    const after = (await send(16, 24)).at(-1)
    expect(after).not.toContain('paused')
    expect(removed(after)).toBeGreaterThan(removed(during) + 300)
    expect(setting.faults).toEqual([])
  })

  it('is kept over a restart, with the same bytes', async () => {
    await send(0, 10)
    pauses.set('s', true)
    const before = (await send(10, 12)).at(-1)
    await setting.restart()
    const [after] = await send(12, 13)
    expect(after).toContain('paused')
    expect(removed(after)).toBe(removed(before))
    expect(sharedWithBefore(12)).toBe(-1)
  })

  it('of one session leaves the others alone', async () => {
    pauses.set('s', true)
    expect(removed((await send(0, 13)).at(-1))).toBe(0)
    expect(removed((await send(0, 13, 'other')).at(-1))).toBeGreaterThan(100)
  })
})

describe('the file of pauses', () => {
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'palimpsest-paused-'))
    setting = await startSetting()
  })

  it('is noticed by a gateway that another process paused', () => {
    const one = openPauses(home)
    const other = openPauses(home)
    expect(one.isPaused('a')).toBe(false)
    other.set('a', true)
    expect([one.isPaused('a'), one.isPaused('b')]).toEqual([true, false])
    other.set(null, true)
    expect(one.isPaused('b')).toBe(true)
    other.set(null, false)
    expect([one.isPaused('a'), one.isPaused('b')]).toEqual([false, false])
  })

  it('pauses nothing when it is broken', () => {
    writeFileSync(path.join(home, 'paused.json'), '{"everything":')
    expect(openPauses(home).isPaused('a')).toBe(false)
  })
})
