import { afterEach, describe, expect, it } from 'vitest'
import { startModel } from '../model/server.ts'
import { plainAnswer } from './recording-upstream.ts'
import { post, type Setting, type SettingOptions, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting | null = null

afterEach(async () => {
  await setting?.stop()
  setting = null
})

async function started(options: SettingOptions = {}): Promise<Setting> {
  setting = await startSetting({ config: { delegateClears: true }, ...options })
  return setting
}

const headers = { 'x-session-id': 's', 'x-api-key': 'k', 'anthropic-beta': 'one,two' }
const tools = [
  'Read',
  'Edit',
  'Bash',
  'TodoWrite',
  'mcp__palimpsest__context_restore',
  'Secret',
].map((name) => ({ name, input_schema: { type: 'object' } }))
const withTools = (body: string, more: object = {}): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), tools, ...more })
const bodies = storyBodies('anthropic').map((body) => withTools(body))
const clears = {
  type: 'clear_tool_uses_20250919',
  trigger: { type: 'input_tokens', value: 100_000 },
  keep: { type: 'tool_uses', value: 3 },
  clear_at_least: { type: 'input_tokens', value: 20_000 },
  exclude_tools: ['TodoWrite', 'mcp__palimpsest__context_restore'],
}
const member = `,"context_management":${JSON.stringify({ edits: [clears] })}}`

async function arrived(
  { post: send, upstream }: Setting,
  body: string,
  more: Record<string, string> = {},
): Promise<{ body: string; beta: unknown; receipt: unknown }> {
  const reply = await send(paths.anthropic, body, { ...headers, ...more })
  const received = upstream.received.at(-1)
  return {
    body: String(received?.body),
    beta: received?.headers['anthropic-beta'],
    receipt: reply.headers['x-palimpsest'],
  }
}

describe('clears that are left to the provider', () => {
  it('are asked for behind all that goes out otherwise, by the key alone', async () => {
    const without: string[] = []
    const plain = await started({ config: {} })
    for (const body of bodies) without.push((await arrived(plain, body)).body)
    await plain.stop()
    const delegating = await started()
    for (const [turn, body] of bodies.entries()) {
      const sent = await arrived(delegating, body)
      expect(sent.body).toBe(without[turn]?.replace(/}$/, member))
      expect(sent.beta).toBe('one,two,context-management-2025-06-27')
      expect(sent.receipt).toMatch(/^before=\d+; after=\d+; epoch=\d+; .*clears=provider$/)
    }
    expect(without.join()).not.toContain('context_management')
  })

  it('keep what is protected', async () => {
    const delegating = await started({
      config: { delegateClears: true, protectedTools: ['sec*'], turnProtection: 5 },
    })
    const { body } = await arrived(delegating, bodies.at(-1) as string)
    const { context_management: said } = JSON.parse(body) as { context_management: object }
    const excluded = [...clears.exclude_tools, 'Secret']
    const keep = { type: 'tool_uses', value: 5 }
    expect(said).toEqual({ edits: [{ ...clears, keep, exclude_tools: excluded }] })
  })

  it.each([
    [
      'the client has settings of its own',
      withTools(bodies[0] as string, { context_management: { edits: [] } }),
      {},
    ],
    ['there are no tools', storyBodies('anthropic')[0] as string, {}],
    [
      'files are protected, of which the provider knows nothing',
      bodies[0] as string,
      { protectedFilePatterns: ['*.env'] },
    ],
    ['nothing is to be changed', bodies[0] as string, { preset: 'off' }],
  ] as const)('are not asked for when %s', async (_, body, config) => {
    const delegating = await started({ config: { delegateClears: true, ...config } })
    const sent = await arrived(delegating, body)
    expect([sent.body, sent.beta]).toEqual([body, 'one,two'])
    expect(sent.receipt).not.toContain('clears')
  })

  it.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'are not asked for of other providers (%s)',
    async (format) => {
      const delegating = await started()
      const body = storyBodies(format)[0] as string
      await delegating.post(paths[format], body, headers)
      expect(String(delegating.upstream.received.at(-1)?.body)).toBe(body)
    },
  )

  it('are given up where the upstream refuses them, and the client notices nothing', async () => {
    const delegating = await started()
    delegating.upstream.answerWith((response, received) => {
      if (!String(received.body).includes('context_management'))
        return plainAnswer(response, received)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        '{"type":"error","error":{"message":"context_management: Extra inputs are not permitted"}}',
      )
    })
    const reply = await delegating.post(paths.anthropic, bodies[0] as string, headers)
    expect(reply.status).toBe(200)
    expect(reply.headers['x-palimpsest']).not.toContain('clears')
    const [refused, taken] = delegating.upstream.received
    expect(String(refused?.body)).toContain('context_management')
    expect([String(taken?.body), taken?.headers['anthropic-beta']]).toEqual([bodies[0], 'one,two'])
    await delegating.post(paths.anthropic, bodies[1] as string, headers)
    expect(delegating.upstream.received).toHaveLength(3)
  })

  it('do not hide a bad request', async () => {
    const delegating = await started()
    delegating.upstream.answerWith((response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":"max_tokens"}')
    })
    for (const body of bodies.slice(0, 2)) {
      const { status, body: said } = await delegating.post(paths.anthropic, body, headers)
      expect([status, said]).toEqual([400, '{"error":"max_tokens"}'])
    }
    expect(delegating.upstream.received).toHaveLength(4)
  })
})

describe('a provider that clears', () => {
  /** Files that are all different, so that nothing of them is replaced. */
  const long = Array.from({ length: 12 }, (_, turn) => {
    const lines = Array.from({ length: 2_000 }, (_unused, n) => `const value${n} = ${turn} * ${n}`)
    const id = `toolu_${turn}`
    const input = { file_path: `/project/src/file-${turn}.ts` }
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: lines.join('\n') }],
      },
    ]
  })
  const request = (turns: number): string =>
    JSON.stringify({
      model: 'claude-opus-4-8',
      max_tokens: 1_000,
      tools,
      messages: [{ role: 'user', content: 'Read all.' }, ...long.slice(0, turns).flat()],
    })

  it('says what it cleared, to the client, to counts and to the store', async () => {
    const model = await startModel({ scenario: { turns: [], last: 'Read.' } })
    const { upstreamsWith } = await import('../../src/gateway/index.ts')
    const delegating = await started({ upstreams: upstreamsWith({ anthropic: model.url }) })
    const send = (path: string, body: string): ReturnType<typeof post> =>
      post(`${delegating.gateway.url}${path}`, body, headers)
    const short = JSON.parse((await send(paths.anthropic, request(2))).body)
    expect(short.context_management).toEqual({ applied_edits: [] })
    const answer = JSON.parse((await send(paths.anthropic, request(12))).body)
    const [applied] = answer.context_management.applied_edits
    expect(applied).toMatchObject({ type: clears.type, cleared_tool_uses: 9 })
    expect(applied.cleared_input_tokens).toBeGreaterThan(100_000)
    expect(answer.usage.input_tokens).toBeLessThan(applied.cleared_input_tokens)
    const { max_tokens: _, ...counted } = JSON.parse(request(12))
    const count = JSON.parse(
      (await send('/v1/messages/count_tokens', JSON.stringify(counted))).body,
    )
    expect(count.input_tokens).toBe(answer.usage.input_tokens)
    expect(count.context_management.original_input_tokens).toBe(
      count.input_tokens + applied.cleared_input_tokens,
    )
    const keptUsage = async (): Promise<unknown> => {
      const stored = (await delegating.store.sessions()).find(({ id }) => id === 's')
      const receipts = stored === undefined ? [] : await delegating.store.receipts(stored)
      return receipts.map(({ usage }) => usage)
    }
    // Figures are written a moment after the answer.
    await expect
      .poll(keptUsage, { timeout: 5_000 })
      .toMatchObject([{ input: expect.any(Number) }, { cleared: applied.cleared_input_tokens }])
    await model.stop()
  })
})
