import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FetchLike, type PrunedFetch, withPalimpsest } from '../../src/sdk/index.ts'
import { hostedPlugin } from '../agent/hosted.ts'
import { hashOf, mostSteps, workOn } from '../crash/work.ts'
import { useOwnHome } from '../sdk/own-home.ts'
import { compress } from './compress-calls.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

useOwnHome()

let setting: Setting
let library: PrunedFetch<FetchLike>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  setting = await startSetting()
  library = withPalimpsest(async () => Response.json({}), { store: 'memory:' })
})
afterEach(async () => {
  vi.useRealTimers()
  await library.close()
  await setting.stop()
})

/** Sends each body, as a process does whose machine gets another time in the middle. */
async function receiptsWith(
  send: (body: string) => Promise<string>,
  bodies: readonly string[],
): Promise<readonly string[]> {
  const receipts: string[] = []
  for (const [at, body] of bodies.entries()) {
    if (at === 8) vi.setSystemTime(Date.now() + 26 * 3_600_000)
    if (at === 14) vi.setSystemTime(Date.now() - 52 * 3_600_000)
    receipts.push(await send(body))
  }
  return receipts
}

const bodies = storyBodies('openai-chat', { turns: 20 })
const doors: Readonly<Record<string, (body: string) => Promise<string>>> = {
  'a model route': async (body) => {
    const { headers } = await setting.post(paths['openai-chat'], body, {
      authorization: 'Bearer k',
    })
    return String(headers['x-palimpsest'])
  },
  'a library': async (body) => {
    const init = { method: 'POST', body, headers: { authorization: 'Bearer k' } }
    const answer = await library(`http://model.test${paths['openai-chat']}`, init)
    return String(answer.headers.get('x-palimpsest'))
  },
  '/v1/compress': async (body) => (await compress(setting.gateway.url, body)).receipt,
}

it.each(Object.entries(doors))(
  'a clock that is set does not make a warm cache look expired: %s',
  async (_, send) => {
    const receipts = await receiptsWith(send, bodies)
    const cold = receipts.filter((each) => /opened=(?:cold|idle|resumed|expired)/.test(each))
    expect(cold).toEqual([])
  },
)

it('a clock that is set does not make a warm cache look expired: the OpenCode plugin', async () => {
  const requests = async (setsClock: boolean): Promise<readonly string[]> => {
    const conversation = (await hostedPlugin({ given: { store: 'memory:' } })).conversation('one')
    conversation.say('Work on it.')
    const hashes: string[] = []
    for (let step = 0; step < mostSteps; step++) {
      if (setsClock && step === 12) vi.setSystemTime(Date.now() + 26 * 3_600_000)
      hashes.push(hashOf(await conversation.request()))
      workOn(conversation, step)
    }
    return hashes
  }
  expect(await requests(true)).toEqual(await requests(false))
})
