import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import type { MessageDraft } from '../../../src/core/words/item.ts'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import { type LoadedSession, openStore } from '../../../src/store/index.ts'
import type { LoggedRequest } from '../../model/server.ts'
import type { Client } from '../client.ts'
import { copilotCli } from '../copilot-cli.ts'
import { geminiCli } from '../gemini-cli.ts'
import { describeClient, isShortRun, programs } from '../installed-client.ts'
import { pi } from '../pi.ts'
import { qwenCode } from '../qwen-code.ts'
import { type GatewaySession, throughGateway } from './gateway-session.ts'
import { promptClosings, promptsStory, promptTurns } from './prompts-story.ts'

const leftOut = /restore-[0-9a-f]{6}' [0-9a-f]{6}/

/** Clients that do not say which session a request belongs to: each client and each format once. */
const clients: readonly Client[] = [
  geminiCli(newestVersion('gemini-cli')),
  qwenCode(newestVersion('qwen-code'), 'openai-chat'),
  copilotCli(newestVersion('copilot-cli'), 'openai-responses'),
  pi(newestVersion('pi'), 'anthropic'),
]

/** The same clients over their other formats. */
const variants: readonly Client[] = [
  qwenCode(newestVersion('qwen-code'), 'anthropic'),
  copilotCli(newestVersion('copilot-cli'), 'anthropic'),
  copilotCli(newestVersion('copilot-cli'), 'openai-chat'),
  pi(newestVersion('pi'), 'openai-chat'),
]

for (const client of isShortRun ? clients : [...clients, ...variants]) {
  describeClient(
    client,
    `${client.name} with several prompts, and the gateway restarted between them`,
    (command) => {
      describePrompts(client, command)
    },
  )
}

function describePrompts(client: Client, command: string): void {
  const { read } = bodyFormats[client.format]
  let session: GatewaySession
  let stored: readonly LoadedSession[]

  beforeAll(async () => {
    const options = { client, command, programs, killAfter: null, restarts: true }
    session = await throughGateway({ ...options, story: promptsStory })
    stored = await sessionsIn(session.store)
  }, 240_000)
  afterAll(() => session?.remove())

  const requestOf = (turn: number): LoggedRequest | undefined =>
    session.requests.find((request) => request.kind === 'turn' && request.turn === turn)
  const messagesOf = (turn: number): readonly MessageDraft[] =>
    read(requestOf(turn)?.body ?? '').messages

  it('answers all of them', () => {
    const refused = session.requests.filter(({ api, status }) => api !== null && status !== 200)
    expect(refused.map(({ violations }) => violations)).toEqual([])
    expect(session.results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    for (const [at, output] of session.outputs.entries())
      expect(output).toContain(promptClosings[at])
    expect(existsSync(`${session.project}/check.js`)).toBe(true)
  })

  it('is one session for the conversation, and another for the next', () => {
    const turns = stored.map(({ ledger, earlierLedgers }) => turnsIn([...earlierLedgers, ledger]))
    const requests = promptTurns.slice(0, 3).flat().length
    expect(turns.sort((a, b) => b - a)).toEqual([requests, promptTurns[3]?.length])
  })

  it('keeps what was left out, and only adds between epochs', () => {
    const [conversation] = stored.filter(({ messages }) => messages.length > 8)
    const { ledger, earlierLedgers } = conversation!
    const epochs = [...earlierLedgers, ledger].flat().filter((entry) => entry.kind === 'epoch')
    for (const { reason } of epochs) expect(reason).toMatch(/^(rewritten|resumed|pays)$/)
    const hasFolded = epochs.some(({ reason }) => reason === 'pays')
    const last = shownResults(messagesOf(promptTurns[0]!.at(-1)!))
    const shortened = [...last].filter(([, text]) => leftOut.test(text))
    expect(shortened.length).toBeGreaterThan(0)
    for (const prompt of [1, 2]) {
      const turns = promptTurns[prompt]!
      const [first, ...others] = turns.map((turn) => shownResults(messagesOf(turn)))
      for (const [call] of shortened) expect(first?.get(call)).toMatch(leftOut)
      for (const shown of others)
        for (const [call, text] of first!) {
          const later = shown.get(call) ?? ''
          // What was seen may be folded later, where that pays.
          if (!(hasFolded && leftOut.test(later))) expect(later).toBe(text)
        }
    }
  })
}

async function sessionsIn(path: string): Promise<readonly LoadedSession[]> {
  const store = await openStore({ kind: 'sqlite', path })
  try {
    const all = await store.sessions()
    return await Promise.all(all.map((each) => store.load(each)))
  } finally {
    await store.close()
  }
}

/** Requests that became turns. A ledger that was begun anew has those before it again. */
function turnsIn(ledgers: readonly (readonly LedgerEntry[])[]): number {
  const turns = ledgers.flat().flatMap((entry) => (entry.kind === 'request' ? [entry.turn] : []))
  return new Set(turns).size
}

/** The text of each result as it was sent, by its call. */
function shownResults(messages: readonly MessageDraft[]): ReadonlyMap<string, string> {
  const items = messages.flatMap((message) => message.items)
  const results = items.filter((item) => item.kind === 'result').reverse()
  return new Map(results.map(({ call, text }) => [call, text]))
}
