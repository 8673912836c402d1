import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkState, Memory, openSqliteLog } from '../../src/memory/index.ts'
import { openStore } from '../../src/store/index.ts'
import { hostedPlugin } from '../agent/hosted.ts'
import { bundledProgram } from '../bundled-program.ts'
import { runsOf } from '../soak.ts'
import { type KillOutcome, killWriters } from '../store/killed-writers.ts'
import { factOf, factsOf, hashOf, journalIn, mostSteps, workOn } from './work.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest killed '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const kills = runsOf({ short: 6, long: 125 })
const timeout = 60_000 + kills * 6_000

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Two of a program, on one store, each killed at a random moment and started again. */
async function killed(program: string, file: string): Promise<KillOutcome> {
  return killWriters({
    program: await bundledProgram('test', 'crash', program),
    binaries: Array.from({ length: 2 }, () => process.execPath),
    location: { kind: 'sqlite', path: file },
    kills,
    random: randomFrom(Number(process.env.PROPERTY_SEED ?? 7)),
  })
}

it(`${kills} killed hosts of the OpenCode plugin: every request is what it would have been`, {
  timeout,
}, async () => {
  const file = path.join(folder, 'host.db')
  const { acknowledged, acknowledgements, complaints } = await killed('plugin-host.ts', file)
  expect(complaints).toBe('')
  expect(acknowledgements).toBeGreaterThan(kills)
  const journals = readdirSync(folder).filter((name) => /^host\.db\.\d+-\d+$/.test(name))
  expect(journals.length).toBeGreaterThanOrEqual(acknowledged.size)
  for (const name of journals) {
    const id = name.slice('host.db.'.length)
    const conversation = (await hostedPlugin()).conversation(id)
    conversation.say(`Work on ${id}.`)
    const expected: string[] = []
    for (let step = 0; step < mostSteps; step++) {
      expected.push(hashOf(await conversation.request()))
      workOn(conversation, step)
    }
    const journal = journalIn(path.join(folder, name))
    expect(journal.length).toBeGreaterThanOrEqual(acknowledged.get(id)?.messages ?? 0)
    expect(journal).toEqual(journal.map(([step]) => [step, expected[step]]))
  }
  const store = await openStore({ kind: 'sqlite', path: file })
  expect(await store.check()).toEqual([])
  const entries = await Promise.all(
    (await store.sessions()).map(async (each) => (await store.load(each)).ledger.length),
  )
  expect(Math.max(...entries)).toBeGreaterThan(0)
  await store.close()
})

it(`${kills} killed writers of the memory: nothing acknowledged is lost, and nothing is there twice`, {
  timeout,
}, async () => {
  const file = path.join(folder, 'memory.db')
  const { acknowledged, acknowledgements, complaints } = await killed('memory-writer.ts', file)
  expect(complaints).toBe('')
  expect(acknowledgements).toBeGreaterThan(kills)
  const log = openSqliteLog(file)
  const memory = new Memory({ log, now: Date.now, newId: () => 'unused' })
  for (const [name, { messages }] of acknowledged) {
    const facts = factsOf(memory, name)
    expect(facts.length).toBeGreaterThanOrEqual(messages)
    expect(facts).toEqual(facts.map((_, count) => factOf(name, count)))
  }
  expect(checkState(memory.state, Date.now())).toEqual([])
  log.close()
})
