import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { bundledCommand } from '../bundled-program.ts'
import { createPrefixCache } from '../property/prefix-cache.ts'
import { bodyOf } from '../property/wire.ts'
import { sharedPostgres } from '../store/postgres.ts'
import {
  changedBefore,
  compress,
  hashesIn,
  opensEpoch,
  originalsIn,
  partsOf,
  retrieve,
} from './compress-calls.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { type Serving, serve } from './serving.ts'
import { post } from './setting.ts'
import { paths } from './story.ts'

/** Anthropic's prices for a write and a read, and its shorter lifetime. */
const prices = [{ write: 1.25, read: 0.1, lifetimeMs: 300_000 }]
const requests = 200
/** How many requests a gateway answers before the next one does. */
const hop = process.env.PALIMPSEST_TEST_CLIENTS === 'newest' ? 7 : 1

describe.skipIf(postgresFolder() === null)(
  'three gateways on one PostgreSQL [npm test -- --all installs it]',
  () => {
    let folder: string
    let upstream: RecordingUpstream
    let gateways: readonly Serving[]

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'palimpsest of a team-'))
      upstream = await startRecordingUpstream()
      upstream.answerWith((response) => void response.writeHead(200).end('{}'))
      const [command, server] = await Promise.all([bundledCommand(), sharedPostgres()])
      const store = await server.database()
      const start = (): Promise<Serving> =>
        serve({ command, store, upstream: upstream.url, home: folder })
      gateways = await Promise.all([start(), start(), start()])
    }, 120_000)
    afterAll(async () => {
      for (const gateway of gateways ?? []) await gateway.end('SIGKILL')
      await upstream?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('answer a conversation of 200 requests in turn like one gateway that serves it alone', async () => {
      const urls = gateways.map(({ url }) => url)
      const costs = ['plug', 'own', 'without'].map(() => ({
        cache: createPrefixCache(prices),
        paid: 0,
      }))
      let alike = 0
      let before: readonly unknown[] = []
      let last = ''
      for (const [at, messages] of conversation().entries()) {
        const body = marked(bodyOf('anthropic', messages))
        const call = JSON.parse(body)
        const { status, answer, receipt } = await compress(
          urls[Math.floor(at / hop) % 3] as string,
          {
            messages: call.messages,
            model: call.model,
          },
        )
        expect([status, receipt]).toEqual([200, expect.not.stringContaining('bypass')])
        if (!opensEpoch(receipt))
          expect([at, changedBefore(before, answer.messages)]).toEqual([at, 0])
        before = answer.messages
        await post(`${urls[0]}${paths.anthropic}`, body, { 'x-api-key': 'sk-one' })
        const sent = JSON.parse(String(upstream.received.at(-1)?.body)).messages
        if (withShortHandles(answer.messages) === JSON.stringify(sent)) alike++
        const when = { at: Date.now(), model: call.model }
        for (const [side, shown] of [answer.messages, sent, call.messages].entries()) {
          const cost = costs[side] as (typeof costs)[number]
          cost.paid += cost.cache.charge(partsOf(shown), when)[0] ?? 0
        }
        last = body
      }
      const [plug = 0, own = 0, without = 0] = costs.map(({ paid }) => paid)
      expect(alike).toBe(requests)
      expect(own).toBeLessThan(without * 0.8)
      // The contract's handles have 24 digits in place of six, which is all that differs.
      expect(plug).toBeLessThan(own * 1.1)
      const hashes = hashesIn(before)
      expect(hashes.length).toBeGreaterThan(50)
      const originals = originalsIn(JSON.parse(last).messages)
      for (const [at, hash] of hashes.entries()) {
        const { status, original } = await retrieve(urls[at % 3] as string, hash)
        expect([hash, status, originals.has(original ?? '')]).toEqual([hash, 200, true])
      }
    }, 240_000)
  },
)

/** With a system prompt that is cached, which a call of another gateway does not show. */
function marked(body: string): string {
  const text = 'You are careful.'
  const system = [{ type: 'text', text, cache_control: { type: 'ephemeral' } }]
  return JSON.stringify({ ...JSON.parse(body), system })
}

/** Handles as the gateway writes them where the agent has no tool for them. */
function withShortHandles(messages: readonly unknown[]): string {
  return JSON.stringify(messages).replace(/(?:hash=)?([0-9a-f]{6})[0-9a-f]{18}(?![0-9a-f])/g, '$1')
}

/** The requests of an agent that reads and changes a file after the other, and runs the tests between. */
function conversation(): readonly (readonly MessageDraft[])[] {
  const said: MessageDraft[] = [
    { role: 'user', items: [{ kind: 'text', text: 'Make every module strict.' }] },
  ]
  const all: (readonly MessageDraft[])[] = [[...said]]
  for (let turn = 1; turn < requests; turn++) {
    const { tool, input, result } = stepAt(turn)
    const call = `toolu_${turn}`
    said.push({
      role: 'assistant',
      items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }],
    })
    said.push({ role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text: result }] })
    all.push([...said])
  }
  return all
}

function stepAt(turn: number): { tool: string; input: object; result: string } {
  const number = Math.floor(turn / 6) % 9
  const file = `/project/src/module-${number}.ts`
  const round = Math.floor(turn / 54)
  switch (turn % 6) {
    case 0:
    case 4:
      return {
        tool: 'Read',
        input: { file_path: file },
        result: moduleText(number, round, turn % 6),
      }
    case 2:
      return {
        tool: 'Edit',
        input: {
          file_path: file,
          old_string: `value ${number} of round ${round}`,
          new_string: `value ${number} of round ${round + 1}`,
        },
        result: `The file ${file} has been updated.`,
      }
    case 1:
    case 3:
      return {
        tool: 'Bash',
        input: { command: 'npm test' },
        result: Array.from({ length: 24 }, (_, n) => `✓ case ${n} of module ${n % 5} passes`).join(
          '\n',
        ),
      }
    default:
      return {
        tool: 'Grep',
        input: { pattern: `value ${number}`, path: '/project/src' },
        result: Array.from({ length: 9 }, (_, n) => `/project/src/module-${n}.ts:3: value`).join(
          '\n',
        ),
      }
  }
}

function moduleText(number: number, round: number, step: number): string {
  const lines = Array.from({ length: 40 }, (_, n) =>
    n === 3
      ? `value ${number} of round ${step === 4 ? round + 1 : round}`
      : `line ${n} of module ${number} says something of its own`,
  )
  return lines.map((line, n) => `${n + 1}\t${line}`).join('\n')
}
