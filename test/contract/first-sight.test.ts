import { afterEach, describe, expect, it } from 'vitest'
import type { ConfigFile } from '../../src/config/config.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { hostedPlugin, saidIn } from '../agent/hosted.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths } from '../gateway/story.ts'
import { bodyOf } from '../property/wire.ts'

const settings: Setting[] = []
afterEach(async () => {
  for (const setting of settings.splice(0)) await setting.stop()
})

/** The shell in the list of tools of a request, so that the agent has a way back. */
const tools: Readonly<Record<BodyFormatName, readonly object[]>> = {
  anthropic: [{ name: 'Bash', input_schema: { type: 'object' } }],
  'openai-chat': [{ type: 'function', function: { name: 'Bash', parameters: {} } }],
  'openai-responses': [{ type: 'function', name: 'Bash', parameters: {} }],
  gemini: [{ functionDeclarations: [{ name: 'Bash' }] }],
}

/** A table of which nearly all rows are alike. */
const rows = (chars: number): string => {
  let text = 'NAME READY STATUS AGE'
  for (let n = 0; text.length < chars; n++) text += `\nworker-${n} 1/1 Running ${n % 30}d`
  return text.slice(0, chars)
}
const file = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `${n + 1}\tconst value${n} = compute(${n})`).join('\n')

interface Called {
  readonly tool: string
  readonly input: object
  readonly output: string
}
const ran = (output: string, at = 0): Called => ({
  tool: 'Bash',
  input: { command: `kubectl get pods -n part${at}` },
  output,
})
const read = (output: string): Called => ({
  tool: 'Read',
  input: { file_path: '/app/src/values.ts' },
  output,
})

/** As long as an agent's own instructions, so that a provider caches the prompt whatever is left out of results. */
const opening = 'Look around. '.repeat(2_000)

function messagesOf(calls: readonly Called[]): readonly MessageDraft[] {
  return [
    { role: 'user', items: [{ kind: 'text', text: opening }] },
    ...calls.flatMap(({ tool, input, output }, at): readonly MessageDraft[] => [
      {
        role: 'assistant',
        items: [{ kind: 'call', tool, call: `c${at}`, text: JSON.stringify(input) }],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool, call: `c${at}`, status: 'ok', text: output }],
      },
    ]),
  ]
}

/** For each request of a session, which of its results it shows whole. */
async function wholeIn(
  format: BodyFormatName,
  calls: readonly Called[],
  config: ConfigFile,
): Promise<readonly (readonly boolean[])[]> {
  const setting = await startSetting({ config, restoreCommand: '/opt/palimpsest/restore' })
  settings.push(setting)
  const shown: (readonly boolean[])[] = []
  for (let made = 1; made <= calls.length; made++) {
    const body = JSON.parse(bodyOf(format, messagesOf(calls.slice(0, made)))) as object
    const sent = JSON.stringify({ ...body, tools: tools[format] })
    const { status } = await setting.post(paths[format], sent, { 'x-session-id': 's' })
    expect(status).toBe(200)
    const arrived = String(setting.upstream.received.at(-1)?.body)
    shown.push(
      calls
        .slice(0, made)
        .map(({ output }) => arrived.includes(JSON.stringify(output).slice(1, -1))),
    )
  }
  return shown
}

const lastOf = (shown: readonly (readonly boolean[])[]): readonly (boolean | undefined)[] =>
  shown.map((each) => each.at(-1))

describe.each(Object.keys(tools) as BodyFormatName[])('the first sight over %s', (format) => {
  it('is whole up to 8,000 characters, and a digest beyond', async () => {
    const calls = [500, 2500, 5000, 7999, 8000, 12_000].map((chars, at) => ran(rows(chars), at))
    const whole = lastOf(await wholeIn(format, calls, {}))
    expect(whole).toEqual([true, true, true, true, true, false])
  })

  it('is whole for a file of 2,000 lines', async () => {
    expect(lastOf(await wholeIn(format, [read(file(2000))], {}))).toEqual([true])
    expect(lastOf(await wholeIn(format, [read(file(3000))], {}))).toEqual([false])
  })

  it('is whole up to 2,000 characters under compact', async () => {
    const calls = [1900, 2000, 4000].map((chars, at) => ran(rows(chars), at))
    const whole = lastOf(await wholeIn(format, calls, { preset: 'compact' }))
    expect(whole).toEqual([true, true, false])
  })

  it('and the eight turns after it are whole under verbose', async () => {
    const calls = Array.from({ length: 12 }, (_, at) => ran(rows(30_000), at))
    const shown = await wholeIn(format, calls, { preset: 'verbose', schedule: 'eager' })
    for (const each of shown) expect(each.slice(-8)).not.toContain(false)
    const usual = await wholeIn(format, calls, { schedule: 'eager' })
    expect(usual.at(-1)?.slice(-8)).toContain(false)
  })
})

describe('the first sight in the OpenCode plugin', () => {
  it.each([
    [8000, true],
    [12_000, false],
  ])('of %d characters is whole: %s', async (chars, isWhole) => {
    const { conversation, hooks } = await hostedPlugin({ given: {} })
    const hosted = conversation('s')
    hosted.say('Look around.')
    hosted.called('bash', { command: 'kubectl get pods' }, rows(chars))
    const said = saidIn(await hosted.request())
    expect(said.some((text) => text.includes(rows(chars)))).toBe(isWhole)
    await hooks.dispose()
  })
})
