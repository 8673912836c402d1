import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(async () => {
  expect(setting.faults).toEqual([])
  await setting.stop()
})

const key = { 'x-api-key': 'sk-one' }
const formats = Object.keys(paths) as BodyFormatName[]

/** Sends bodies one after the other and gives what arrived in their place. */
async function sent(
  format: BodyFormatName,
  bodies: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const arrived: string[] = []
  for (const body of bodies) {
    await setting.post(paths[format], body, headers)
    arrived.push(setting.upstream.received.at(-1)?.body.toString() ?? '')
  }
  return arrived
}

/** Bodies that are long are compared by what names them, so that a difference can be read. */
function named(bodies: readonly string[]): readonly string[] {
  return bodies.map((body, at) => `${at}: ${body.length} ${hash('sha256', body).slice(0, 12)}`)
}

/** What a story becomes when nobody else uses the gateway. */
async function undisturbed(
  format: BodyFormatName,
  bodies: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  return sent(format, bodies, { ...headers, 'x-api-key': 'sk-nobody-else' })
}

describe.each(formats)('a session over %s', (format) => {
  // Gemini caches only longer prompts, and nothing is shortened below that.
  const bodies = storyBodies(format, { turns: format === 'gemini' ? 28 : 12 })

  it('goes on in the same bytes when the gateway is restarted after any request', async () => {
    const expected = await undisturbed(format, bodies)
    expect(expected.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
    const arrived: string[] = []
    for (const body of bodies) {
      arrived.push(...(await sent(format, [body], { ...key, 'x-session-id': 'restarted' })))
      await setting.restart()
    }
    expect(named(arrived)).toEqual(named(expected))
  })

  it('without a name is found again by its beginning, also after a restart', async () => {
    const expected = await undisturbed(format, bodies)
    const arrived = [...(await sent(format, bodies.slice(0, 8), key))]
    await setting.restart()
    arrived.push(...(await sent(format, bodies.slice(8), key)))
    expect(named(arrived)).toEqual(named(expected))
  })

  it('only adds to what it sent, as long as no epoch opens', async () => {
    const arrived = await sent(format, bodies, { ...key, 'session-id': 'append-only' })
    for (const [index, after] of arrived.entries()) {
      const before = arrived[index - 1]
      if (before === undefined) continue
      const shared = before.slice(0, before.length - 4)
      expect(after.startsWith(shared.slice(0, shared.lastIndexOf('}')))).toBe(true)
    }
  })
})

describe('sessions are told apart', () => {
  const one = storyBodies('anthropic', { word: 'alpha' })
  const other = storyBodies('anthropic', { word: 'beta' })

  it('by the name that the client gives them, request by request', async () => {
    const expected = [await undisturbed('anthropic', one), await undisturbed('anthropic', other)]
    const arrived: string[][] = [[], []]
    for (const turn of one.keys()) {
      const withId = (id: string): Record<string, string> => ({ ...key, 'x-session-id': id })
      arrived[0]?.push(...(await sent('anthropic', one.slice(turn, turn + 1), withId('one'))))
      arrived[1]?.push(...(await sent('anthropic', other.slice(turn, turn + 1), withId('two'))))
    }
    expect(arrived.map(named)).toEqual(expected.map(named))
    const ids = (await setting.store.sessions()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['one', 'two']))
  })

  it('by what they say where they have one name, and a beginning in common', async () => {
    const expected = [await undisturbed('anthropic', one), await undisturbed('anthropic', other)]
    const arrived: string[][] = [[], []]
    const headers = { ...key, 'x-claude-code-session-id': 'shared' }
    for (const turn of one.keys()) {
      arrived[0]?.push(...(await sent('anthropic', one.slice(turn, turn + 1), headers)))
      arrived[1]?.push(...(await sent('anthropic', other.slice(turn, turn + 1), headers)))
    }
    expect(arrived.map(named)).toEqual(expected.map(named))
  })

  it('by the credential, which is nowhere in the store', async () => {
    const headers = { 'x-session-id': 'same' }
    await sent('anthropic', one, { ...headers, 'x-api-key': 'sk-first-secret' })
    await sent('anthropic', one, { ...headers, authorization: 'Bearer sk-second-secret' })
    const same = (await setting.store.sessions()).filter(({ id }) => id === 'same')
    expect(new Set(same.map(({ credential }) => credential)).size).toBe(2)
    const lines: string[] = []
    for await (const line of setting.store.exportLines()) lines.push(line)
    expect(lines.join('\n')).not.toMatch(/secret/)
  })

  it('by the model, whose cache is another one', async () => {
    const expected = await undisturbed('anthropic', one)
    const headers = { ...key, 'x-session-id': 'models' }
    const arrived: string[] = []
    for (const body of one) {
      arrived.push(...(await sent('anthropic', [body], headers)))
      const small = body.replace('claude-sonnet-4-5', 'claude-haiku-4-5')
      await sent('anthropic', [small], headers)
    }
    expect(named(arrived)).toEqual(named(expected))
  })

  it('with the parent that a sub-agent names', async () => {
    await sent('anthropic', one.slice(0, 3), { ...key, 'x-session-id': 'parent' })
    await sent('anthropic', other.slice(0, 3), {
      ...key,
      'x-session-id': 'child',
      'x-parent-session-id': 'parent',
    })
    const child = (await setting.store.sessions()).find(({ id }) => id === 'child')
    expect(child?.parent).toBe('parent')
  })
})

it('begins with the first request also where the tools are part of the conversation', async () => {
  const opened = async (id: string, opening: readonly object[]): Promise<boolean> => {
    const [first = ''] = storyBodies('openai-responses')
    const { tools: _, ...body } = JSON.parse(first) as { input: readonly object[]; tools?: unknown }
    const sentBody = JSON.stringify({ ...body, input: [...opening, ...body.input] })
    const [arrived] = await sent('openai-responses', [sentBody], { 'x-session-id': id })
    expect(arrived).toBe(sentBody)
    return (await setting.store.sessions()).some((session) => session.id === id)
  }
  const tools = [{ type: 'custom', name: 'exec' }]
  expect(await opened('offered', [{ type: 'additional_tools', role: 'developer', tools }])).toBe(
    true,
  )
  expect(await opened('aside', [])).toBe(false)
})

describe('a session is not disturbed', () => {
  const bodies = storyBodies('anthropic')
  const headers = { ...key, 'x-session-id': 'main' }
  const count = '/v1/messages/count_tokens'

  it('by requests beside it: titles, summaries, others of the same name', async () => {
    const expected = await undisturbed('anthropic', bodies)
    const title = JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'A title for: Rename the counter everywhere.' }],
    })
    const arrived: string[] = []
    for (const body of bodies) {
      await sent('anthropic', [title], headers)
      arrived.push(...(await sent('anthropic', [body], headers)))
      await sent('anthropic', [withQuestion(body, 'Summarise all of this.')], headers)
    }
    expect(named(arrived)).toEqual(named(expected))
  })

  it('by counting, which sees what would be sent', async () => {
    const expected = await undisturbed('anthropic', bodies)
    const arrived: string[] = []
    const counted: string[] = []
    for (const body of bodies) {
      await setting.post(count, body, headers)
      counted.push(setting.upstream.received.at(-1)?.body.toString() ?? '')
      arrived.push(...(await sent('anthropic', [body], headers)))
    }
    expect(named(arrived)).toEqual(named(expected))
    expect(named(counted)).toEqual(named(expected))
  })

  it('by requests made again, at once or later', async () => {
    const expected = await undisturbed('anthropic', bodies)
    const arrived: string[] = []
    for (const [turn, body] of bodies.entries()) {
      arrived.push(...(await sent('anthropic', [body], headers)))
      const again = await sent('anthropic', [body], headers)
      expect(named(again)).toEqual(named([expected[turn] as string]))
      const earlier = bodies[Math.floor(turn / 2)] as string
      await sent('anthropic', [earlier], headers)
    }
    expect(named(arrived)).toEqual(named(expected))
  })

  it('by another that begins in the same way, in a process that knows nothing of them', async () => {
    const fork = storyBodies('anthropic', { word: 'beta' })
    const expected = await undisturbed('anthropic', bodies)
    const arrived: string[] = []
    for (const [turn, body] of bodies.entries()) {
      arrived.push(...(await sent('anthropic', [body], headers)))
      await sent('anthropic', [fork[turn] as string], headers)
      await setting.restart()
    }
    expect(named(arrived)).toEqual(named(expected))
  })
})

describe('a client that changes its history', () => {
  it('keeps what was sent before the change', async () => {
    const bodies = storyBodies('anthropic')
    const before = await sent('anthropic', bodies, { ...key, 'x-session-id': 'edited' })
    const edited = (bodies.at(-1) as string).replace('Step 9 (alpha).', 'Step 9, said otherwise.')
    const [after = ''] = await sent('anthropic', [edited], { ...key, 'x-session-id': 'edited' })
    const until = after.indexOf('Step 9, said otherwise.')
    expect(until).toBeGreaterThan(0)
    expect(after.slice(0, until)).toBe(before.at(-1)?.slice(0, until))
  })
})

function withQuestion(body: string, text: string): string {
  const parsed = JSON.parse(body) as { messages: object[] }
  return JSON.stringify({
    ...parsed,
    messages: [...parsed.messages, { role: 'user', content: [{ type: 'text', text }] }],
  })
}
