import { afterEach, describe, expect, it } from 'vitest'
import { restoreDescription } from '../../src/agent/tool-definitions.ts'
import { type Setting, type SettingOptions, startSetting } from './setting.ts'
import { paths } from './story.ts'

const restoreCommand = '/home/me/.config/palimpsest/restore'
let setting: Setting
afterEach(() => setting.stop())

const tool = (name: string, description = ''): object => ({
  name,
  description,
  input_schema: { type: 'object' },
})
const shell = [tool('Bash')]
const ours = [tool('Read'), tool('context_restore', restoreDescription)]

interface Called {
  readonly command: string
  readonly output: string
  readonly tool?: string
  readonly input?: object
}

/** Output that admission shortens: long, and most of its lines alike. */
const suite = (n: number): Called => ({
  command: `npm test -- part${n}`,
  output: Array.from(
    { length: 400 },
    (_, at) => ` ✓ src/part${n}/file${at}.test.ts (3 tests) ${at % 50} ms`,
  ).join('\n'),
})
const restored = (handle: string): Called => ({
  command: `${restoreCommand} ${handle}`,
  output: 'the original',
})

interface Part {
  readonly type: string
  readonly content?: string
}
type Said = readonly { readonly role: string; readonly content: readonly Part[] }[]

function bodyOf(calls: readonly Called[], tools: readonly object[]): string {
  const messages = calls.flatMap(({ command, output, tool: name = 'Bash', input }, at) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${at}`, name, input: input ?? { command } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: output }] },
  ])
  const opening = { role: 'user', content: [{ type: 'text', text: 'Run every part.' }] }
  const model = 'claude-sonnet-4-5'
  return JSON.stringify({ model, max_tokens: 9, tools, messages: [opening, ...messages] })
}

interface Sent {
  readonly body: string
  readonly receipt: string
  /** The tool results as they were sent. */
  readonly results: readonly string[]
}

async function send(calls: readonly Called[], tools: readonly object[] = shell): Promise<Sent> {
  const headers = { 'x-session-id': 's', 'x-api-key': 'k' }
  const reply = await setting.post(paths.anthropic, bodyOf(calls, tools), headers)
  const body = String(setting.upstream.received.at(-1)?.body)
  const { messages } = JSON.parse(body) as { messages: Said }
  const results = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool_result' ? [part.content ?? ''] : [])),
  )
  return { body, receipt: String(reply.headers['x-palimpsest']), results }
}

const handleIn = (text = ''): string => / ([0-9a-f]{6,})(?::\d+-\d+)?\]/.exec(text)?.[1] ?? ''
const outputs = (calls: readonly Called[]): readonly string[] => calls.map(({ output }) => output)

describe('a session without a way back', () => {
  const calls = [1, 2, 3].map(suite)

  it.each<[string, readonly object[], SettingOptions]>([
    ['has neither the tool nor a shell', [tool('Read')], { restoreCommand }],
    ['has a shell, but no command exists for it', shell, {}],
  ])('is sent whole when the client %s', async (_, tools, options) => {
    setting = await startSetting(options)
    for (let made = 1; made <= calls.length; made++) {
      const { results } = await send(calls.slice(0, made), tools)
      expect(results).toEqual(outputs(calls.slice(0, made)))
    }
  })

  it.each([
    ['a shell', shell, restoreCommand],
    ['the tool', ours, 'context_restore'],
  ])('differs from one that has %s', async (_, tools, words) => {
    setting = await startSetting({ restoreCommand })
    const { results } = await send(calls, tools)
    expect(results[2]?.length).toBeLessThan((calls[2]?.output.length ?? 0) / 2)
    expect(results[2]).toContain(`${words} ${handleIn(results[2])}`)
  })

  it('still leaves out what was superseded', async () => {
    setting = await startSetting({ restoreCommand })
    const [first = suite(1)] = calls
    const results: (readonly string[])[] = []
    for (const made of [[first], [first, first]])
      results.push((await send(made, [tool('Read')])).results)
    expect(results.at(-1)?.[0]).toBe(first.output)
    expect(results.at(-1)?.[1]?.length).toBeLessThan(300)
  })

  it('keeps what the preset documents where it imitates another tool', async () => {
    const output = suite(1).output.repeat(2)
    setting = await startSetting({ restoreCommand, config: { preset: 'history' } })
    const { results } = await send([{ ...suite(1), output }], [tool('Read')])
    expect(results[0]?.length).toBeLessThan(output.length / 2)
  })

  it('goes on as before when the way back is lost, and in another process', async () => {
    setting = await startSetting({ restoreCommand })
    const { results: before } = await send(calls.slice(0, 2))
    const { results: lost, body } = await send(calls, [tool('Read')])
    expect(lost.slice(0, 2)).toEqual(before)
    expect(lost[2]).toBe(calls[2]?.output)
    await setting.restart()
    expect((await send(calls, [tool('Read')])).body).toBe(body)
  })
})

/** Twelve digests; then the agent restores some of them, and goes on. */
async function restoring(
  count: number,
  { isRestarted = false, digests = 12 } = {},
): Promise<readonly Sent[]> {
  // Folds of what was seen are another kind.
  setting = await startSetting({ restoreCommand, config: { schedule: 'admission-only' } })
  const calls: Called[] = []
  const sent: Sent[] = []
  const next = async (call: Called): Promise<void> => {
    calls.push(call)
    if (isRestarted) await setting.restart()
    sent.push(await send(calls))
  }
  for (let n = 0; n < digests; n++) await next(suite(n))
  for (let n = 0; n < count; n++) await next(restored(handleIn(sent.at(-1)?.results[n])))
  for (let n = digests; n < digests + 4; n++) await next(suite(n))
  return sent
}

describe('a kind of rendition that is restored', () => {
  const isWhole = (text = ''): boolean => text.includes('file200.test')

  it('is used on when nothing is restored', async () => {
    const last = (await restoring(0)).at(-1)
    expect(last?.results.map(isWhole)).not.toContain(true)
  })

  it('is not used again after more than one in twenty, and what was sent stays', async () => {
    const sent = await restoring(1)
    const last = sent.at(-1)?.results ?? []
    expect(last.slice(0, 12).map(isWhole)).not.toContain(true)
    expect(last.slice(13).map(isWhole)).toEqual([true, true, true, true])
    for (const [at, { results }] of sent.entries())
      expect(results.slice(0, at)).toEqual(sent[at - 1]?.results ?? [])
  })

  it('is used on after one restore among few, but not after two', async () => {
    const wholeAfter = async (count: number): Promise<readonly boolean[]> => {
      const sent = await restoring(count, { digests: 3 })
      await setting.stop()
      return (sent.at(-1)?.results ?? []).slice(3 + count).map(isWhole)
    }
    expect(await wholeAfter(1)).toEqual([false, false, false, false])
    expect(await wholeAfter(2)).toEqual([true, true, true, true])
    setting = await startSetting()
  })

  it('is counted the same in a gateway that is restarted before every request', async () => {
    const whole = await restoring(2)
    await setting.stop()
    const restarted = await restoring(2, { isRestarted: true })
    expect(restarted.map(({ body }) => body)).toEqual(whole.map(({ body }) => body))
    expect(restarted.map(({ receipt }) => /restored=\S+/.exec(receipt)?.[0])).toEqual(
      whole.map(({ receipt }) => /restored=\S+/.exec(receipt)?.[0]),
    )
  })

  it('is in the receipt, in the status and in the statistics of the session', async () => {
    const sent = await restoring(2)
    const named = sent.filter(({ receipt }) => receipt.includes('restored=truncated:1'))
    expect(named).toHaveLength(2)
    const status = await fetch(`${setting.gateway.url}/palimpsest/status`)
    expect(await status.json()).toMatchObject({ restores: { truncated: 2 } })
    const { store } = setting
    await setting.gateway.close(1000)
    const [session] = await store.sessions()
    const { statistics } = await store.load(session as NonNullable<typeof session>)
    expect(statistics).toMatchObject({ 'restored.truncated': 2 })
  })
})
