import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../src/memory/index.ts'
import { type RunningModel, startModel } from '../model/server.ts'
import { type MemoryCommandRun, runMemoryCommand } from './run-memory-command.ts'

let folder: string
let model: RunningModel | undefined
let clock = Date.UTC(2026, 10, 16)

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-extractor-'))
})

afterEach(async () => {
  await model?.stop()
  model = undefined
  rmSync(folder, { recursive: true })
})

const memory = (args: readonly string[], input = ''): Promise<MemoryCommandRun> =>
  runMemoryCommand({ folder, now: () => clock++ }, args, input)

const item = (fields: object): object => ({
  kind: 'fact',
  about: 'project',
  change: 'state',
  attribute: 'mascot',
  value: 'heron',
  quote: 'Our mascot ended up being the heron.',
  ...fields,
})

/** The model proposes these items for the messages, in their order. */
async function observed(
  messages: readonly string[],
  proposals: readonly (readonly object[] | string)[],
): Promise<readonly Observation[]> {
  const turns = proposals.map((items) => ({
    text: typeof items === 'string' ? items : JSON.stringify({ items }),
  }))
  model = await startModel({ scenario: { turns } })
  writeFileSync(
    path.join(folder, 'palimpsest.jsonc'),
    JSON.stringify({
      memory: {
        extractor: { url: `${model.url}/v1`, model: 'gpt-4.1', keyVariable: 'EXTRACTOR_KEY' },
      },
    }),
  )
  const lines = messages.map((text, index) =>
    JSON.stringify({ id: String(index), role: 'user', text }),
  )
  const { out, err } = await memory(['observe', '--json'], `${lines.join('\n')}\n`)
  expect(err).toBe('')
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Observation)
}

describe('a model that proposes what to remember', () => {
  it('is asked for each message, and what the message bears out is stored', async () => {
    const said = 'Our mascot ended up being the heron.'
    const [found] = await observed([said], [[item({})]])
    expect(found?.changes).toMatchObject([
      { op: 'add', kind: 'fact', key: 'mascot', value: 'heron' },
    ])
    const [request] = model!.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions', status: 200 })
    expect(JSON.parse(request!.body)).toMatchObject({ model: 'gpt-4.1' })
    expect(request!.body).toContain(said)
    const [listed] = JSON.parse((await memory(['list', '--json'])).out)
    expect(listed).toMatchObject({ text: 'project mascot: heron', source: { quote: said } })
  })

  it('supersedes under a known key, and never under one that nobody declared', async () => {
    const found = await observed(
      [
        'We use npm here.',
        'The build goes through Bun nowadays.',
        'Our mascot ended up being the heron.',
        'Our mascot ended up being the crane.',
      ],
      [
        [],
        [
          item({
            kind: 'preference',
            change: 'replace',
            attribute: 'package manager',
            value: 'bun',
            quote: 'The build goes through Bun nowadays.',
          }),
        ],
        [item({})],
        [item({ value: 'crane', quote: 'Our mascot ended up being the crane.' })],
      ],
    )
    expect(found.map(({ changes }) => changes.map(({ op, value }) => `${op} ${value}`))).toEqual([
      ['add npm'],
      ['supersede Bun'],
      ['add heron'],
      ['add crane', 'flag crane'],
    ])
  })

  it.each([
    ['was never said', 'Hello there.', {}],
    [
      'names a value that is not in the sentence',
      'Our mascot ended up being the heron.',
      { value: 'owl' },
    ],
    ['is only quoted', 'He wrote "Our mascot ended up being the heron." in the chat', {}],
    ['is code', '```\nOur mascot ended up being the heron.\n```\nFix it.', {}],
    ['is asked', 'Our mascot is the heron?', { quote: 'Our mascot is the heron?' }],
    [
      'is supposed',
      'If our mascot is the heron, fine.',
      { quote: 'If our mascot is the heron, fine.' },
    ],
    [
      'is said of others',
      'Their mascot is the heron, they said.',
      { quote: 'Their mascot is the heron, they said.' },
    ],
    [
      'is for this file',
      'Our mascot is the heron in this file.',
      { quote: 'Our mascot is the heron in this file.' },
    ],
  ])('is not followed where something %s', async (_, text, fields) => {
    const [found] = await observed([text], [[item(fields)]])
    expect(found?.changes).toEqual([])
  })

  it('is passed over where it gives no JSON, or no proposal', async () => {
    const found = await observed(
      ['We use pnpm.', 'We use Vitest.', 'We use Biome.'],
      ['I cannot help.', '{"items":[{"kind":"nonsense"}]}', '```json\n{"items":[]}\n```'],
    )
    expect(found.map(({ changes }) => changes.map(({ value }) => value))).toEqual([
      ['pnpm'],
      ['Vitest'],
      ['Biome'],
    ])
  })

  it('that cannot be reached leaves the rules alone, and says so', async () => {
    await observed(['We use pnpm.'], [[]])
    await model!.stop()
    const line = JSON.stringify({ id: '1', role: 'user', text: 'We use Vitest.' })
    const { out, err } = await memory(['observe', '--json'], `${line}\n`)
    expect(out).toContain('"Vitest"')
    expect(err).toMatch(/the extractor at http.* cannot be reached; the message was read without/)
  })

  it('gets the key that its variable holds', async () => {
    process.env.EXTRACTOR_KEY = 'sk-of-the-test'
    try {
      let seen: string | null = null
      const { createServer } = await import('node:http')
      const server = createServer((request, response) => {
        seen = request.headers.authorization ?? null
        response.end(JSON.stringify({ choices: [{ message: { content: '{"items":[]}' } }] }))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const extractor = {
        url: `http://127.0.0.1:${port}/v1`,
        model: 'm',
        keyVariable: 'EXTRACTOR_KEY',
      }
      writeFileSync(
        path.join(folder, 'palimpsest.jsonc'),
        JSON.stringify({ memory: { extractor } }),
      )
      await memory(
        ['observe', '--json'],
        `${JSON.stringify({ id: '1', role: 'user', text: 'Hi.' })}\n`,
      )
      server.close()
      expect(seen).toBe('Bearer sk-of-the-test')
    } finally {
      delete process.env.EXTRACTOR_KEY
    }
  })
})
