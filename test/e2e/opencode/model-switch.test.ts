import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import { longFiles, longScenario } from './long-scenario.ts'
import { changedAt, receivedItems } from './received.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { begin, say } from './steps.ts'
import { storedLedger, storedReceipts } from './stored-ledger.ts'

const other = { providerID: 'anthropic', modelID: 'claude-haiku-4-5' }
const usual = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }

describe.skipIf(hostCommand === null)(hostTitle('another model in the middle of a session'), () => {
  let session: ServedSession
  let ledger: readonly LedgerEntry[]
  let shown: readonly (readonly string[])[]

  beforeAll(async () => {
    session = await serveSession({
      files: longFiles,
      // So that whatever was decided waits for a cache that is cold.
      options: { schedule: 'cold-only' },
      scenario: (project) => {
        const { turns, ...rest } = longScenario(project, 24)
        const parts = [turns.slice(0, 12), turns.slice(12, 18), turns.slice(18, 24)]
        return { ...rest, turns: parts.flatMap((part) => [...part, { text: 'That far.' }]) }
      },
      steps: () => [
        begin('s'),
        say('s', 'Work on it.'),
        say('s', 'Go on with another.', other),
        say('s', 'And back.', usual),
      ],
    })
    ledger = await storedLedger(session)
    // The host itself leaves out what another model thought.
    shown = session.requests.map((request) =>
      receivedItems(request).filter((line) => !line.startsWith('reasoning')),
    )
  }, 300_000)

  afterAll(() => session?.remove())
  it('goes on to its end, and every request is valid', () => {
    expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(session.requests.map(({ body }) => /"model":"([^"]+)"/.exec(body)?.[1])).toEqual([
      ...Array(13).fill(usual.modelID),
      ...Array(7).fill(other.modelID),
      ...Array(7).fill(usual.modelID),
    ])
    expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
  })

  it('has nothing cached for the other model: what waited is applied with its first request', () => {
    const epochs = ledger.filter((entry) => entry.kind === 'epoch')
    const first = epochs.find(({ reason }) => reason === 'model')
    expect(first).toMatchObject({ turn: 14, from: 0 })
    // A call and its result are one thing: where the input goes, the note about it stands at the end of the result.
    const stepsOf = (turn: number): ReadonlyMap<string, string> => {
      const steps = new Map<string, string>()
      for (const line of shown[turn - 1] ?? []) {
        const [, id] = /^(?:call|result) (\S+):/.exec(line) ?? []
        if (id !== undefined) steps.set(id, `${steps.get(id) ?? ''}${line}\n`)
      }
      return steps
    }
    const later = stepsOf(14)
    const changed = [...stepsOf(13)].flatMap(([id, before]) => {
      const after = later.get(id) ?? ''
      return before === after ? [] : [{ before, after }]
    })
    expect(changed.length).toBeGreaterThan(0)
    const chars = (texts: readonly string[]): number => texts.join('').length
    expect(chars(changed.map(({ after }) => after))).toBeLessThan(
      chars(changed.map(({ before }) => before)),
    )
    for (const { before, after } of changed) {
      expect(after).toMatch(/\b[0-9a-f]{6}\b/)
      // A view shows what several reads and edits showed.
      if (!/ as of (?:this read|\w+ [0-9a-f]{6}) · /.test(after))
        expect(after.length).toBeLessThan(before.length)
    }
  })

  it('changes what was sent only where it says so, on the way back too', () => {
    const declared = ledger.flatMap((entry) => (entry.kind === 'epoch' ? [entry.turn] : []))
    expect(changedAt(shown).filter((turn) => !declared.includes(turn))).toEqual([])
    expect(ledger.filter(({ kind }) => kind === 'request').length).toBe(27)
  })

  it('has a receipt for each request, with the usage of its answer and a size that fits it', async () => {
    const receipts = await storedReceipts(session)
    const models = session.requests.map(({ body }) => /"model":"([^"]+)"/.exec(body)?.[1])
    // The test ends the host with the last answer, which may be before the host reports it.
    expect(receipts.length).toBeGreaterThanOrEqual(models.length - 1)
    expect(receipts.map(({ model }) => model)).toEqual(models.slice(0, receipts.length))
    expect(receipts.every(({ usage }) => usage !== null && usage.input > 0)).toBe(true)
    for (const { tokens, usage } of receipts)
      expect(Math.abs(Math.log((tokens?.after ?? 0) / (usage?.input ?? 1)))).toBeLessThan(0.5)
  })
})
