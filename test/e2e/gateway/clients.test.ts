import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import type { Body, Format } from '../../../src/formats/format.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import { openStore } from '../../../src/store/index.ts'
import type { LoggedRequest } from '../../model/server.ts'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { copilotCli } from '../copilot-cli.ts'
import { geminiCli } from '../gemini-cli.ts'
import { describeClient, isShortRun, programs } from '../installed-client.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'
import { qwenCode } from '../qwen-code.ts'
import { type GatewaySession, throughGateway } from './gateway-session.ts'
import { longClosing, longResult, longStory, longTurns } from './long-scenario.ts'
import { rewrites } from './rewrites.ts'

const clients: readonly Client[] = [
  claudeCode(newestVersion('claude-code')),
  claudeCode('2.1.197', 'claude-sonnet-4-5'),
  claudeCode('2.1.325'),
  codex(newestVersion('codex')),
  codex('0.166.0'),
  openCode(newestVersion('opencode'), 'anthropic'),
  openCode('1.18.33', 'anthropic'),
  pi(newestVersion('pi'), 'anthropic'),
  pi('0.73.1', 'anthropic'),
  pi('0.73.1', 'openai-chat'),
  geminiCli(newestVersion('gemini-cli')),
  copilotCli(newestVersion('copilot-cli'), 'anthropic'),
  qwenCode(newestVersion('qwen-code'), 'openai-chat'),
]

/**
 * The same clients with another model or format, which a killed gateway does not see in another way. In a short run, the
 * differential suite and the suite without a gateway stand for them.
 */
const variants: readonly Client[] = [
  claudeCode(newestVersion('claude-code'), 'claude-sonnet-4-5'),
  pi(newestVersion('pi'), 'openai-chat'),
  copilotCli(newestVersion('copilot-cli'), 'openai-chat'),
  copilotCli(newestVersion('copilot-cli'), 'openai-responses'),
  qwenCode(newestVersion('qwen-code'), 'anthropic'),
]

// The differential suite runs the other clients through a gateway that nobody kills.
for (const client of clients)
  describeClient(
    client,
    `${client.name} through the gateway, which is killed in the middle`,
    (command) => describeSession(client, command, 25),
  )
for (const client of isShortRun ? [] : variants)
  describeClient(client, `${client.name} through the gateway`, (command) =>
    describeSession(client, command, null),
  )

function describeSession(client: Client, command: string, killAfter: number | null): void {
  const format: Format<Body> = bodyFormats[client.format]
  let session: GatewaySession
  let turns: readonly LoggedRequest[]

  beforeAll(async () => {
    session = await throughGateway({ client, command, programs, killAfter, story: longStory })
    turns = session.requests.filter(({ kind }) => kind === 'turn')
  }, 240_000)
  afterAll(() => session?.remove())

  it('walks all fifty turns, and nothing is refused', () => {
    const refused = session.requests.filter(({ api, status }) => api !== null && status !== 200)
    expect(refused.map(({ violations }) => violations)).toEqual([])
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(session.kills).toBe(killAfter === null ? 0 : 1)
    expect(session.output).toContain(longClosing)
    const walked = new Set(turns.map(({ turn }) => turn))
    expect([...walked]).toEqual(Array.from({ length: longTurns }, (_, turn) => turn))
  })

  it('leaves the files as every edit says', () => {
    for (const [path, text] of longResult(session.project))
      expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('sends the model valid requests, shorter than its history', () => {
    for (const { body } of turns) expect(format.validate(body)).toEqual([])
    expect(turns.some(({ body }) => /restore-[0-9a-f]{6}' [0-9a-f]{6}/.test(body))).toBe(true)
  })

  it('only adds to what was sent, but for a few epochs that have their reason', async () => {
    const store = await openStore({ kind: 'sqlite', path: session.store })
    try {
      const stored = await store.sessions()
      const loaded = await Promise.all(stored.map((each) => store.load(each)))
      const ledgers = loaded.flatMap(({ ledger, earlierLedgers }) => [...earlierLedgers, ledger])
      const epochs = ledgers.flat().filter((entry) => entry.kind === 'epoch')
      const kept = new Map(epochs.map((epoch) => [`${epoch.turn} ${epoch.reason}`, epoch]))
      const rewritten = rewrites(turns.map(({ body }) => format.read(body).messages))
      // Each takes at least a twentieth off the context, so there is at most one in five requests.
      expect(kept.size).toBeLessThanOrEqual(turns.length / 5)
      for (const { reason, removed, rewritten: again } of kept.values()) {
        expect(reason).toMatch(/^(resumed|rewritten|model|idle|pays|pressure)$/)
        // What left the page by it, and what had to be written again for it.
        expect([removed, again].every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
      }
      for (const turn of rewritten)
        expect([...kept.values()].map((epoch) => epoch.turn)).toContain(turn)
      const receipts = await Promise.all(stored.map((each) => store.receipts(each)))
      expect(receipts.flat().filter(({ bypass }) => bypass !== null)).toEqual([])
    } finally {
      await store.close()
    }
  })
}
