import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { objectOf } from '../../src/core/words/json.ts'
import type { Body, Format, ItemChange, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats, detectBodyFormat } from '../../src/formats/index.ts'
import type { LoggedRequest } from '../model/server.ts'
import type { Client } from './client.ts'
import { blockAt, changedSpan, differences } from './differences.ts'
import { describeClient, programs } from './installed-client.ts'
import {
  closingWords,
  repairedLine,
  repairProject,
  repairPrompt,
  repairScenario,
} from './repair-scenario.ts'
import { type RecordedSession, recordSession } from './session.ts'

/** Every claim that holds for each client. */
export function describeClients(clients: readonly Client[]): void {
  for (const client of clients)
    describeClient(client, client.name, (command) => describeSession(client, command))
}

function describeSession(client: Client, command: string): void {
  const format: Format<Body> = bodyFormats[client.format]
  let session: RecordedSession
  let requests: readonly LoggedRequest[]

  beforeAll(async () => {
    session = await recordSession({
      client,
      command,
      programs,
      prompt: repairPrompt,
      files: repairProject,
      scenario: repairScenario,
    })
    requests = session.requests.filter(({ api, kind }) => api !== null && kind !== 'count')
  }, 120_000)

  afterAll(() => session?.remove())

  it('walks the whole scenario and leaves the file repaired', () => {
    const refused = requests.filter(({ status }) => status !== 200)
    expect(refused.map(({ violations }) => violations)).toEqual([])
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(session.outputs[0]).toContain(closingWords)
    expect(readFileSync(`${session.project}/src/counter.js`, 'utf8')).toContain(repairedLine)
    expect(readFileSync(`${session.project}/src/version.js`, 'utf8')).toContain('1.0.1')
    const turns = repairScenario('').turns.map((_, turn) => turn)
    expect(requests.flatMap(({ turn }) => (turn === null ? [] : [turn]))).toEqual(turns)
  })

  it('finds more and more of each request in the cache', () => {
    const read = requests.flatMap(({ kind, usage, body }) =>
      kind === 'turn' && usage !== null
        ? [{ tokens: usage.cacheRead, mode: thinkingIn(body) }]
        : [],
    )
    expect(read[0]?.tokens).toBe(0)
    // Copilot CLI stops asking for thinking after an answer without it, and another mode has another cache.
    for (const [at, { tokens, mode }] of read.entries())
      if (at > 0 && mode === read[at - 1]?.mode)
        expect(tokens).toBeGreaterThanOrEqual(read[at - 1]!.tokens)
    expect(read.at(-1)?.tokens).toBeGreaterThan(read[1]!.tokens)
  })

  it('sends requests that are understood to the end and valid', () => {
    for (const { kind, path, body } of requests) {
      expect(detectBodyFormat(body, path)).toBe(client.format)
      if (kind === 'turn') expect(detectBodyFormat(body)).toBe(client.format)
      expect(format.read(body).problem).toBeNull()
      expect(format.validate(body)).toEqual([])
    }
  })

  it('gets the very same bytes back when nothing is changed', () => {
    for (const { body } of requests) {
      expect(format.rewrite(format.read(body), [])).toEqual({ source: body, refused: [] })
      const bytes = new TextEncoder().encode(body)
      expect(format.rewrite(format.read(bytes), []).source).toBe(bytes)
    }
  })

  it('differs in one block alone when one result is changed, and is still valid', () => {
    const changed = requests.flatMap(({ body }) => {
      const read = format.read(body)
      const change = changeInTheMiddle(read)
      return change === null ? [] : [{ body, read, change }]
    })
    expect(changed.length).toBeGreaterThanOrEqual(repairScenario('').turns.length - 1)
    for (const { body, read, change } of changed) {
      const rewritten = format.rewrite(read, [change])
      expect(rewritten.refused).toEqual([])
      const after = String(rewritten.source)
      expectOnlyOneBlockChanged(body, after)
      expect(format.validate(after)).toEqual([])
      expect(format.read(after).messages).toEqual(withChange(read, change, client))
    }
  })

  it('is read from request to request as it is read afresh', () => {
    let previous: RequestRead<Body> | undefined
    let shared = 0
    for (const { body } of requests.filter(({ kind }) => kind === 'turn')) {
      const fresh = format.read(body)
      const next = format.read(body, previous)
      expect({ ...next, shared: 0 }).toEqual({ ...fresh, shared: 0 })
      shared += next.shared
      previous = next
    }
    expect(shared).toBeGreaterThan(0)
  })
}

function thinkingIn(body: string): string {
  return JSON.stringify(objectOf(JSON.parse(body)).thinking ?? null)
}

/** A new text for the result in the middle of a request; null for requests without results. */
function changeInTheMiddle(read: RequestRead<Body>): ItemChange | null {
  const results = read.messages.flatMap((message, messageIndex) =>
    message.items.flatMap((item, itemIndex) =>
      item.kind === 'result' ? [{ message: messageIndex, item: itemIndex }] : [],
    ),
  )
  const middle = results[Math.floor(results.length / 2)]
  return middle === undefined ? null : { ...middle, text: '[“replaced” by a later read\n· a1b2c3]' }
}

function withChange(
  read: RequestRead<Body>,
  change: ItemChange,
  { agent, format }: Client,
): RequestRead<Body>['messages'] {
  // OpenAI's formats have no mark for errors, and Copilot CLI sets none: whether a call failed is read from its text.
  const isMarked = !format.startsWith('openai') && !agent.startsWith('copilot-cli')
  return read.messages.map((message, messageIndex) => ({
    ...message,
    items: message.items.map((item, itemIndex) =>
      messageIndex === change.message && itemIndex === change.item
        ? { ...item, text: change.text ?? '', ...(isMarked ? {} : { status: 'ok' }) }
        : item,
    ),
  }))
}

function expectOnlyOneBlockChanged(before: string, after: string): void {
  const parsed: unknown = JSON.parse(before)
  const paths = differences(parsed, JSON.parse(after))
  const blocks = new Set(paths.map((path) => blockAt(parsed, path)))
  expect(blocks.size).toBe(1)
  const [block] = blocks
  // Outside of what differs the bytes are the same; what differs is no longer than the block that holds it.
  expect(changedSpan(before, after).before.length).toBeLessThanOrEqual(block!.length * 1.1 + 16)
}
