import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRecording } from '../../../src/cli/recording-files.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { isCutLine } from '../../../src/core/files/text/shown-text.ts'
import type { Usage } from '../../../src/core/words/item.ts'
import type { LoggedRequest } from '../../model/server.ts'
import type { Client } from '../client.ts'
import { type GatewaySession, throughGateway } from '../gateway/gateway-session.ts'
import { describeClient, programs } from '../installed-client.ts'
import { differentialClients } from './clients.ts'
import { type Comparison, compareSides } from './compare.ts'
import { type LiveSide, liveSide } from './live-side.ts'
import { replayedSide } from './replayed-side.ts'
import { differentialStory, differentialTurns } from './scenario.ts'
import { fileShapes } from './shapes.ts'
import type { Side } from './side.ts'

/** Where `npm run differential` wants what each client's sessions came to. */
const report = process.env.DIFFERENTIAL_REPORT

for (const client of differentialClients)
  describeClient(client, `${client.name}, live and replayed`, (command) =>
    describeSession(client, command),
  )

function describeSession(client: Client, command: string): void {
  let session: GatewaySession
  let live: LiveSide
  let replayed: Side
  let compared: Comparison

  beforeAll(async () => {
    const story = differentialStory
    session = await throughGateway({ client, command, programs, killAfter: null, story })
    live = await liveSide(session.store, session.requests, client.format)
    const { recordings, problems } = await openRecording(session.recording ?? '')
    expect(problems).toEqual([])
    const recording = recordings.find(({ parent }) => parent === null)
    if (recording === undefined) throw new Error(`${client.name} recorded no session`)
    const config = loadConfig({ cwd: session.project, home: dirname(session.store) })
    const usage = session.requests.filter(({ kind }) => kind === 'turn').map(usageOf)
    replayed = replayedSide(recording, {
      ...{ config, restore: session.restore, live: live.history, usage },
    })
    compared = compareSides(live, replayed)
    if (report !== undefined) writeReport(report, client, compared)
  }, 240_000)
  afterAll(() => session?.remove())

  it('walks the whole scenario through the gateway', () => {
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(live.requests).toHaveLength(differentialTurns)
    expect(replayed.requests).toHaveLength(differentialTurns)
    const refused = session.requests.filter(({ api, status }) => api !== null && status !== 200)
    expect(refused).toEqual([])
  })

  it('has every call and every result understood alike', () => {
    expect(compared.operations).toEqual([])
  })

  it('has the same known of every file after every turn', () => {
    expect(compared.knowledge).toEqual([])
  })

  it('has every file known as the disk has it', () => {
    const turn = live.requests.length - 1
    const files = fileShapes.map(({ name, path }) => {
      const file = join(session.project, path)
      const known = live.knowledge.get(`turn ${turn} ${file}`)?.text ?? null
      return { name, known: plain(known), disk: plain(readFileSync(file, 'utf8')) }
    })
    // After a command that failed while it changed a file, nobody knows what the file says.
    const certain = files.filter(({ known }) => known !== null)
    expect(certain.length).toBeGreaterThanOrEqual(files.length - 1)
    for (const { name, known, disk } of certain)
      expect.soft({ name, text: known }).toEqual({ name, text: disk })
  })

  it('has the same decided, by the same, for the same reason', () => {
    expect(compared.decisions).toEqual([])
  })

  it('has each kind of file shortened when it is shown again', () => {
    const shortened = compared.rows.filter(({ shape }) => !hasNothingToShorten(shape, live))
    for (const { shape, decisions } of shortened)
      expect.soft({ shape, decided: decisions.live > 0 }).toEqual({ shape, decided: true })
  })

  it('shows the model as many tokens, within 1 %', () => {
    for (const { shape, tokens } of compared.rows) {
      const share = tokens.live / tokens.replayed
      expect.soft(Math.abs(share - 1), `${shape}: ${JSON.stringify(tokens)}`).toBeLessThan(0.01)
    }
  })
}

function usageOf({ usage }: LoggedRequest): Usage | null {
  if (usage === null) return null
  const { input, output, cacheRead, cacheWrite } = usage
  return { input, output, cacheRead, cacheWrite }
}

/** An empty file; and one with a line that the client cuts, of which nobody knows whether it stayed the same. */
function hasNothingToShorten(shape: string, { calls }: Side): boolean {
  const file = fileShapes.find(({ name }) => name === shape)
  if (file === undefined) return false
  const reads = calls.filter(({ input }) => input.includes(file.path))
  const isCut = reads.some(({ reading }) => reading?.lines?.lines.some(isCutLine))
  return file.text === '' || isCut
}

/** Tools leave out what they do not show: the byte-order mark, and how lines end. */
function plain(text: string | null): string | null {
  return text === null
    ? null
    : text
        .replace(/^\ufeff/, '')
        .replaceAll('\r\n', '\n')
        .replace(/\n$/, '')
}

function writeReport(folder: string, client: Client, compared: Comparison): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${client.name.replaceAll(/[^\w.]+/g, '-')}.json`)
  writeFileSync(file, JSON.stringify({ client: client.name, ...compared }))
}
