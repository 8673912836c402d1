import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../scripts/agents.mjs'
import { bodyFormats } from '../../src/formats/index.ts'
import { readReceipt, type StoredReceipt } from '../../src/report/request-receipt.ts'
import { openStore } from '../../src/store/index.ts'
import type { LoggedRequest } from '../model/server.ts'
import type { Client } from './client.ts'
import { longClosing, longResult, longStory } from './gateway/long-scenario.ts'
import { rewrites } from './gateway/rewrites.ts'
import { describeClient, programs } from './installed-client.ts'
import { pi } from './pi.ts'
import { type RecordedSession, recordSession } from './session.ts'

const extension = path.resolve(import.meta.dirname, '../../dist/pi/index.js')

/** Pi with the extension, and a store of its own. */
function withExtension(client: Client): Client {
  return {
    ...client,
    name: `${client.name} with the extension`,
    setUp(place, prompt) {
      const { files, environment, args } = client.setUp(place, prompt)
      return {
        files,
        environment: { ...environment, PALIMPSEST_HOME: `${place.home}/palimpsest` },
        args: ['-e', extension, ...args],
      }
    },
  }
}

const version = newestVersion('pi')
for (const format of ['anthropic', 'openai-responses'] as const) {
  const client = withExtension(pi(version, format))
  describeClient(client, client.name, (command) => describeSession(client, command))
}

function describeSession(client: Client, command: string): void {
  const format = bodyFormats[client.format]
  let session: RecordedSession
  let turns: readonly LoggedRequest[]
  let receipts: readonly StoredReceipt[]

  beforeAll(async () => {
    expect(existsSync(extension), 'run `npm run build` first').toBe(true)
    session = await recordSession({
      client,
      command,
      programs,
      prompt: longStory.prompt,
      files: longStory.project,
      scenario(project) {
        const { turns: story, ...rest } = longStory.scenario(project)
        const restores = { operations: [{ kind: 'restore' as const }] }
        return { ...rest, turns: [...story.slice(0, -1), restores, ...story.slice(-1)] }
      },
    })
    turns = session.requests.filter(({ kind }) => kind === 'turn')
    const file = path.join(session.project, '..', 'home', 'palimpsest', 'palimpsest.db')
    const store = await openStore({ kind: 'sqlite', path: file })
    const stored = await store.sessions()
    const kept = await Promise.all(stored.map((each) => store.receipts(each)))
    receipts = kept.flat().flatMap((receipt) => readReceipt(receipt) ?? [])
    await store.close()
  }, 240_000)
  afterAll(() => session?.remove())

  it('walks the whole story, and the files are as every edit says', () => {
    expect(session.requests.filter(({ api, status }) => api !== null && status !== 200)).toEqual([])
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(session.outputs[0]).toContain(longClosing)
    for (const [file, text] of longResult(session.project))
      expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('sends valid requests that only add to what was sent, but for epochs', () => {
    for (const { body } of turns) expect(format.validate(body)).toEqual([])
    const rewritten = rewrites(turns.map(({ body }) => format.read(body).messages))
    const epochs = receipts.flatMap(({ turn, opened }) => (opened === null ? [] : [turn]))
    for (const turn of rewritten) expect(epochs).toContain(turn)
    expect(epochs.length).toBeLessThanOrEqual(turns.length / 5)
  })

  it('keeps a receipt of every request, with its usage, and saves tokens', () => {
    expect(receipts.map(({ turn }) => turn)).toEqual(turns.map((_, at) => at + 1))
    expect(receipts.map(({ usage }) => usage?.input)).toEqual(
      turns.map(({ usage }) => usage?.input),
    )
    expect(receipts.filter(({ bypass }) => bypass !== null)).toEqual([])
    const { before = 0, after = 0 } = receipts.at(-1)?.tokens ?? {}
    expect(after).toBeLessThan(before * 0.8)
  })

  it('names the restore tool, which brings the original back', () => {
    expect(turns.some(({ body }) => /context_restore [0-9a-f]{6}/.test(body))).toBe(true)
    expect(receipts.some(({ restored }) => Object.keys(restored).length > 0)).toBe(true)
  })
}
