import { describe, expect, it } from 'vitest'
import { isJsonObject, parseJson } from '../../src/core/words/json.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { startGateway, upstreamsWith } from '../../src/gateway/index.ts'
import { type PruneReceipt, restoreTool, withPalimpsest } from '../../src/sdk/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { type LoggedRequest, startModel } from '../model/server.ts'
import { useOwnHome } from './own-home.ts'
import { type SdkAgent, sdkAgents } from './sdk-agents.ts'
import { workScenario } from './small-project.ts'

useOwnHome()

const scenario = workScenario(16)
const formats = Object.keys(sdkAgents) as BodyFormatName[]

interface Run {
  readonly said: string
  readonly requests: readonly LoggedRequest[]
  readonly receipts: readonly PruneReceipt[]
  readonly errors: readonly unknown[]
}

async function throughFetch(agent: SdkAgent): Promise<Run> {
  const model = await startModel({ scenario })
  const receipts: PruneReceipt[] = []
  const errors: unknown[] = []
  const fetch = withPalimpsest(globalThis.fetch, {
    store: 'memory:',
    onReceipt: (receipt) => receipts.push(receipt),
    onError: (error) => errors.push(error),
  })
  const restore = restoreTool(fetch)
  const said = await agent({ url: model.url, fetch, restore, runRestore: restore.run })
  await fetch.close()
  await model.stop()
  return { said, requests: model.requests, receipts, errors }
}

async function throughGateway(agent: SdkAgent): Promise<Run> {
  const model = await startModel({ scenario })
  const store = createMemoryStore()
  const receipts: PruneReceipt[] = []
  const errors: unknown[] = []
  const { url } = model
  const gateway = await startGateway({
    store,
    config: { toolMappings: [], warnings: [] },
    upstreams: upstreamsWith({ anthropic: url, openai: url, gemini: url }),
    onAnswered: (report) => receipts.push(report),
    onFault: (_, fault) => errors.push(fault),
  })
  const unused = withPalimpsest(globalThis.fetch, { store: 'memory:' })
  const said = await agent({
    url: gateway.url,
    fetch: globalThis.fetch,
    restore: restoreTool(unused),
    async runRestore(input) {
      const found = await store.original(isJsonObject(input) ? String(input.handle) : '')
      return found.kind === 'found' ? found.text : 'nothing'
    },
  })
  await gateway.close()
  await model.stop()
  return { said, requests: model.requests, receipts, errors }
}

/** The requests of an agent that runs without us. */
async function withoutUs(agent: SdkAgent): Promise<readonly LoggedRequest[]> {
  const model = await startModel({ scenario })
  const unused = withPalimpsest(globalThis.fetch, { store: 'memory:' })
  await agent({
    url: model.url,
    fetch: globalThis.fetch,
    restore: restoreTool(unused),
    runRestore: async () => 'nothing',
  })
  await model.stop()
  return model.requests
}

/** The messages of a request, each as the text that was sent. */
function messagesOf(format: BodyFormatName, { body }: LoggedRequest): readonly string[] {
  const parsed = parseJson(body)
  const list = isJsonObject(parsed) ? (parsed.messages ?? parsed.input ?? parsed.contents) : []
  expect(bodyFormats[format].validate(body)).toEqual([])
  return (list as unknown[]).map((message) => JSON.stringify(message))
}

describe.each(formats)('a fetch around the %s SDK', (format) => {
  const agent = sdkAgents[format]

  it('sends what the gateway sends, changes sent bytes only in epochs, and restores', async () => {
    const own = await throughFetch(agent)
    const served = await throughGateway(agent)
    expect(own.errors).toEqual([])
    expect(own.said).toBe('All rounds are done.')
    expect(own.requests.map(({ body }) => body)).toEqual(served.requests.map(({ body }) => body))
    expect(own.requests.every(({ violations }) => violations.length === 0)).toBe(true)

    const { receipts } = own
    expect(receipts.length).toBe(own.requests.length)
    const comparable = ({ tokens, opened, usage, turn }: PruneReceipt): object => ({
      tokens,
      opened,
      usage,
      turn,
    })
    expect(receipts.map(comparable)).toEqual(served.receipts.map(comparable))
    expect(receipts.every(({ usage }) => usage !== null && usage.input > 0)).toBe(true)

    const sent = own.requests.map((request) => messagesOf(format, request))
    let epochs = 0
    for (const [at, messages] of sent.entries()) {
      const before = sent[at - 1] ?? []
      if (receipts[at]?.opened != null) epochs += 1
      else expect(messages.slice(0, before.length)).toEqual(before)
    }
    expect(epochs).toBeGreaterThan(0)

    const { before = 0, after = 0 } = receipts.at(-1)?.tokens ?? {}
    expect(after).toBeLessThan(before)
    expect(own.requests.at(-1)?.body).toContain('context_restore ')
    // The agent restored a read, whose text is whole again in the result of the tool.
    expect(receipts.some(({ restored }) => Object.keys(restored).length > 0)).toBe(true)
  })

  it('leaves a history as it is that the provider may have cached from before', async () => {
    const last = (await withoutUs(agent)).at(-1)
    const model = await startModel({ scenario })
    const fetch = withPalimpsest(globalThis.fetch, { store: 'memory:' })
    const { path = '', body = '', headers = {} } = last ?? {}
    const answer = await fetch(model.url + path, { method: 'POST', headers, body })
    await answer.text()
    await fetch.close()
    await model.stop()
    expect(model.requests.map((request) => request.body)).toEqual([body])
  })
})
