import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { restoreDescription } from '../../src/agent/tool-definitions.ts'
import type { ConfigFile } from '../../src/config/config.ts'
import { hostedPlugin, saidIn } from '../agent/hosted.ts'
import { captureRun } from '../captured-run.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest doors '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const settings: Setting[] = []
afterEach(async () => {
  for (const setting of settings.splice(0)) await setting.stop()
})

const model = 'claude-sonnet-4-5'
const prompt = 'Keep the parts in step.'

interface Step {
  readonly tool: string
  readonly input: object
  readonly output: string
}

/** For each request, the steps whose results it does not show whole. */
type Shortened = readonly (readonly number[])[]

const text = (name: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `export const ${name}${line} = ${line} * 31`).join(
    '\n',
  )
const read = (name: string, count: number): Step => ({
  tool: 'read',
  input: { filePath: `/project/${name}.ts` },
  output: text(name, count)
    .split('\n')
    .map((line, at) => `${String(at + 1).padStart(5, '0')}| ${line}`)
    .join('\n'),
})
const fetch = (version: number): Step => ({
  tool: 'webfetch',
  input: { url: 'https://example.org/state', format: 'text' },
  output: text(`state${version}x`, 60),
})
const look = (at: number): Step => ({
  tool: 'bash',
  input: { command: `make check-${at}`, description: 'checks' },
  output: text(`check${at}`, 12),
})

/**
 * A long session: one file is read again and again, which saves something, and near its end a page is fetched that changes
 * each time. Each older fetch could go at a gain, and all of them together are a small part of the context.
 */
const session: readonly Step[] = [
  ...Array.from({ length: 6 }, () => read('large', 300)),
  ...Array.from({ length: 30 }, (_, at) => look(at)),
  ...Array.from({ length: 8 }, (_, at) => fetch(at)),
  ...Array.from({ length: 4 }, (_, at) => look(at + 30)),
]

const callOf = (at: number): string => `call_${at}`

function indexesOf(shown: (at: number) => string, upTo: number): readonly number[] {
  return session
    .slice(0, upTo)
    .flatMap(({ output }, at) => (shown(at).includes(output) ? [] : [at]))
}

async function throughGateway(config: ConfigFile): Promise<Shortened> {
  let now = 1_000_000
  const setting = await startSetting({ config, now: () => (now += 1000) })
  settings.push(setting)
  const messages: object[] = [{ role: 'user', content: prompt }]
  // A way back, as the plugin has and a replay assumes.
  const tools = [{ name: 'read' }, { name: 'context_restore', description: restoreDescription }]
  const requests: (readonly number[])[] = []
  for (let at = 0; at <= session.length; at++) {
    const body = JSON.stringify({ model, max_tokens: 100, messages, tools })
    const { status } = await setting.post('/v1/messages', body, { 'x-session-id': 's' })
    expect(status).toBe(200)
    const sent = String(setting.upstream.received.at(-1)?.body)
    const results = new Map<string, string>(
      (JSON.parse(sent).messages as { content: string | Record<string, string>[] }[]).flatMap(
        ({ content }) =>
          (typeof content === 'string' ? [] : content).flatMap((block) =>
            block.type === 'tool_result' ? [[block.tool_use_id!, String(block.content)]] : [],
          ),
      ) as [string, string][],
    )
    requests.push(indexesOf((step) => results.get(callOf(step)) ?? '', at))
    const step = session[at]
    if (step === undefined) break
    const { tool: name, input, output } = step
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id: callOf(at), name, input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: callOf(at), content: output }],
      },
    )
  }
  return requests
}

async function throughPlugin(given: ConfigFile): Promise<Shortened> {
  const { conversation, hooks } = await hostedPlugin({ given: { ...given } })
  const hosted = conversation('s')
  hosted.say(prompt)
  const requests: (readonly number[])[] = []
  for (let at = 0; at <= session.length; at++) {
    const said = saidIn(await hosted.request())
    requests.push(indexesOf((step) => said[step + 1] ?? '', at))
    const step = session[at]
    if (step !== undefined) hosted.called(step.tool, step.input, step.output)
  }
  await hooks.dispose()
  return requests
}

async function throughReplay(config: ConfigFile): Promise<Shortened> {
  const lines = [
    { type: 'user', message: { role: 'user', content: prompt } },
    ...session.flatMap(({ tool: name, input, output }, at) => [
      {
        type: 'assistant',
        message: {
          id: `m${at}`,
          role: 'assistant',
          model,
          content: [{ type: 'tool_use', id: callOf(at), name, input }],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: callOf(at), content: output }],
        },
      },
    ]),
    {
      type: 'assistant',
      message: { id: 'end', role: 'assistant', model, content: [{ type: 'text', text: 'Done.' }] },
    },
  ]
  const stamped = lines.map((line, at) => ({
    ...line,
    sessionId: 's',
    timestamp: new Date(1_000_000 + 500 * at).toISOString(),
  }))
  const file = path.join(folder, 'session.jsonl')
  writeFileSync(file, stamped.map((line) => `${JSON.stringify(line)}\n`).join(''))
  // A file that the user names may set what a project may not.
  const named = path.join(folder, 'named.jsonc')
  writeFileSync(named, JSON.stringify(config))
  const args = ['replay', file, '--trace', '--config', named]
  const { code, out, err } = await captureRun(args, { cwd: folder })
  expect([code, err]).toEqual([0, ''])
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const results = rows.filter(({ type, kind }) => type === 'item' && kind === 'result')
  const items = new Map(results.map(({ i, call }, at) => [i, [callOf(at) === call, at] as const]))
  expect([...items.values()].every(([isNext]) => isNext)).toBe(true)
  const shown = new Map(rows.filter(({ type }) => type === 'rendition').map((row) => [row.r, row]))
  return rows
    .filter(({ type }) => type === 'request')
    .map(({ view }) =>
      (view as number[]).flatMap((r) => {
        const { i, how } = shown.get(r)
        const [, at] = items.get(i) ?? []
        return at === undefined || how === 'full' ? [] : [at]
      }),
    )
}

const configurations: readonly [string, ConfigFile][] = [
  ['the defaults', {}],
  ['another regime', { regime: 'no-cache' }],
  ['the strictest regime', { regime: 'anthropic-1h' }],
  ['the preset acp', { preset: 'acp' }],
  ['the schedule cold-only', { schedule: 'cold-only' }],
]

describe('one conversation through gateway, plugin and replay', () => {
  it.each(configurations)('is shortened alike under %s', async (_, config) => {
    const live = await throughGateway(config)
    expect(live.at(-1)?.length).toBeGreaterThan(2)
    expect(await throughPlugin(config)).toEqual(live)
    expect(await throughReplay(config)).toEqual(live)
  })

  it('collects small gains on a warm cache: each change takes a twentieth of the context', async () => {
    for (const door of [throughGateway, throughPlugin, throughReplay]) {
      const requests = await door({})
      const charsOf = (steps: readonly number[]): number =>
        steps.reduce((sum, step) => sum + (session[step]?.output.length ?? 0), 0)
      // Changed after they were sent: with the newest result left out, what one request hides and the one before did not.
      const changes = requests.flatMap((hidden, at) => {
        const changed = hidden.filter((step) => step < at - 1 && !requests[at - 1]?.includes(step))
        const shown = charsOf(
          [...session.keys()].slice(0, at).filter((step) => !hidden.includes(step)),
        )
        return changed.length === 0 ? [] : [charsOf(changed) / (shown + charsOf(changed))]
      })
      expect(changes.length).toBeGreaterThan(0)
      for (const share of changes) expect(share).toBeGreaterThan(0.05)
    }
  })

  it('follows the regime of the configuration, through every door', async () => {
    for (const door of [throughGateway, throughPlugin, throughReplay]) {
      const strict = await door({ regime: 'anthropic-1h' })
      const free = await door({ regime: 'no-cache' })
      expect(free.flat().length).toBeGreaterThan(strict.flat().length)
    }
  })
})
