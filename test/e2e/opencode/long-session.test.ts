import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../../../src/core/words/ledger.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { FoundOriginal } from '../../../src/store/store.ts'
import { isShortRun } from '../installed-client.ts'
import { longFiles, longScenario } from './long-scenario.ts'
import { changedAt, receivedItems } from './received.ts'
import {
  hostCommand,
  hostTitle,
  type ServedSession,
  serveSession,
  wireFormats,
} from './served-session.ts'
import { begin, say, stored } from './steps.ts'

interface StoredOutput {
  readonly call: string
  readonly output: string
}

function outputsIn(body: unknown): readonly StoredOutput[] {
  const messages = body as readonly { parts: readonly Record<string, unknown>[] }[]
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'tool') return []
      const { output, error } = part.state as { output?: string; error?: string }
      return [{ call: String(part.callID), output: output ?? error ?? '' }]
    }),
  )
}

const steps = 50

describe.skipIf(hostCommand === null).each(isShortRun ? (['openai-chat'] as const) : wireFormats)(
  hostTitle('a long session in OpenCode over %s'),
  (format) => {
    let session: ServedSession
    let shown: readonly (readonly string[])[]
    let ledger: readonly LedgerEntry[]
    const originals = new Map<string, FoundOriginal>()

    beforeAll(async () => {
      session = await serveSession({
        format,
        files: longFiles,
        scenario: (project) => longScenario(project, steps),
        steps: () => [begin('s'), say('s', 'Work on it.'), stored('s')],
      })
      shown = session.requests.map(receivedItems)
      const store = await openStore({
        kind: 'sqlite',
        path: join(session.home, 'palimpsest', 'palimpsest.db'),
      })
      const [summary] = await store.sessions()
      ledger = summary === undefined ? [] : (await store.load(summary)).ledger
      for (const line of shown.at(-1) ?? []) {
        for (const [, handle = ''] of line.matchAll(/\b([0-9a-f]{6,})\b/g))
          originals.set(handle, await store.original(handle, summary))
      }
      await store.close()
    }, 500_000)

    afterAll(() => session?.remove())

    it('goes on to its end, and every request is valid', () => {
      expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(session.requests.length).toBe(steps + 1)
      expect(session.requests.flatMap(({ violations }) => violations)).toEqual([])
    })

    it('changes what was sent at the epochs that it declares, and nowhere else', () => {
      const declared = ledger.flatMap((entry) => (entry.kind === 'epoch' ? [entry.turn] : []))
      const changed = changedAt(shown)
      expect(changed.filter((turn) => !declared.includes(turn))).toEqual([])
      expect(ledger.filter(({ kind }) => kind === 'request').length).toBe(steps + 1)
    })

    it('leaves much out, and loses nothing: all that is not there has a handle that gives it back', () => {
      const last = shown.at(-1) ?? []
      const outputs = outputsIn(session.answers[2]?.body)
      const missing = outputs.flatMap(({ call, output }) => {
        const line = last.find((each) => each.startsWith(`result ${call}: `)) ?? ''
        return line.includes(output) ? [] : [{ line, output }]
      })
      expect(missing.length).toBeGreaterThan(steps / 10)
      const sizeOf = (texts: readonly string[]): number => texts.join('').length
      const left = sizeOf(missing.map(({ output }) => output))
      const shownInstead = sizeOf(missing.map(({ line }) => line))
      expect(sizeOf(last)).toBeLessThanOrEqual(0.8 * (sizeOf(last) + left - shownInstead))
      for (const { line, output } of missing) {
        const texts = [...line.matchAll(/\b([0-9a-f]{6,})\b/g)].map(([, handle = '']) => {
          const found = originals.get(handle)
          return found?.kind === 'found' ? found.text : null
        })
        expect(texts).toContain(output)
      }
    })
  },
)
