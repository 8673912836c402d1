import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { createPrefixCache } from '../property/prefix-cache.ts'
import { bodyOf } from '../property/wire.ts'
import { compress, partsOf, retrieve } from './compress-calls.ts'
import { type Setting, startSetting } from './setting.ts'

/** Anthropic's prices for a write and a read, and its shorter lifetime. */
const prices = [{ write: 1.25, read: 0.1, lifetimeMs: 300_000 }]
const requests = 48

let setting: Setting
beforeEach(async () => {
  setting = await startSetting()
})
afterEach(() => setting.stop())

interface Sent {
  readonly cost: number
  readonly restores: number
}

/** An agent checks, reads and edits five files in turn, and fetches the newest original back at one of its requests. */
async function work(restoreAt: number | null, isSent: 'shortened' | 'whole'): Promise<Sent> {
  const said: MessageDraft[] = [
    { role: 'user', items: [{ kind: 'text', text: 'Make every module strict.' }] },
  ]
  const call = (tool: string, input: object, text: string): void => {
    const id = `toolu_${said.length}`
    const asked = { kind: 'call', tool, call: id, text: JSON.stringify(input) } as const
    said.push({ role: 'assistant', items: [asked] })
    said.push({ role: 'tool', items: [{ kind: 'result', tool, call: id, status: 'ok', text }] })
  }
  const cache = createPrefixCache(prices)
  const headers = { authorization: `Bearer ${restoreAt} ${isSent}` }
  let cost = 0
  let restores = 0
  for (let at = 0; at < requests; at++) {
    const { messages, model } = JSON.parse(bodyOf('anthropic', said))
    const asked = { messages, model, config: { mode: 'ccr' } }
    const { answer } = await compress(setting.gateway.url, asked, headers)
    const shown = isSent === 'whole' ? messages : answer.messages
    cost += cache.charge(partsOf(shown), { at: Date.now(), model })[0] ?? 0
    const hash = answer.ccr_hashes.at(-1)
    if (restoreAt !== null && at >= restoreAt && restores === 0 && hash !== undefined) {
      restores++
      const { original = '' } = await retrieve(setting.gateway.url, hash, headers)
      call('headroom_retrieve', { hash }, original)
    } else call(...stepAt(at))
  }
  return { cost, restores }
}

function stepAt(at: number): [tool: string, input: object, result: string] {
  const file = `/project/src/module-${Math.floor(at / 6) % 5}.ts`
  const line = (n: number): string => `line ${n} of ${file} says something`
  switch (at % 3) {
    case 0:
      return ['Bash', { command: `npm test ${at}` }, lines(100, (n) => `✓ case ${n} of run ${at}`)]
    case 1:
      return ['Read', { file_path: file }, lines(150, (n) => `${n + 1}\t${line(n)}`)]
    default:
      return [
        'Edit',
        { file_path: file, old_string: line(at), new_string: `line ${at} is new` },
        `The file ${file} has been updated.`,
      ]
  }
}

function lines(count: number, write: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => write(n)).join('\n')
}

it('saves nearly as much after one early restore as without any', async () => {
  const whole = await work(null, 'whole')
  const none = await work(null, 'shortened')
  const one = await work(4, 'shortened')
  expect([none.restores, one.restores]).toEqual([0, 1])
  expect(none.cost).toBeLessThan(0.75 * whole.cost)
  expect(whole.cost - one.cost).toBeGreaterThan(0.7 * (whole.cost - none.cost))
}, 60_000)
