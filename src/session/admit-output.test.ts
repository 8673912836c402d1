import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { openStore, type Store } from '../store/index.ts'
import { admitOutput, type FreshOutput } from './admit-output.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-admit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config: Config = { preset: 'balanced', toolMappings: [], warnings: [] }
const outputOf = (call: string): FreshOutput => ({
  ...{ session: 'hook-abc', origin: 'claude-code', cwd: '/p', at: 1_000, prompt: 'Run it.' },
  ...{ tool: 'Bash', call, input: '{"command":"make"}', restore: 'restore' },
  text: Array.from({ length: 600 }, (_, at) => `row_${at} of the report is ${call}`).join('\n'),
})

describe('a fresh output', () => {
  it('is shortened and counted, also when many commands of one session end together', async () => {
    const location = { kind: 'sqlite', path: path.join(folder, 'together.db') } as const
    const calls = Array.from({ length: 8 }, (_, at) => `call_${at}`)
    const stores = await Promise.all(calls.map(() => openStore(location)))
    try {
      const shown = await Promise.all(
        calls.map((call, at) => admitOutput(stores[at] as Store, config, outputOf(call))),
      )
      expect(shown.filter((text) => text === null)).toEqual([])
      const store = stores[0] as Store
      for (const [at, text] of shown.entries()) {
        const handle = /([0-9a-f]{6,})\]$/.exec(text ?? '')?.[1] ?? 'none'
        const { text: original } = outputOf(calls[at] as string)
        expect(await store.original(handle)).toMatchObject({ kind: 'found', text: original })
      }
      const sessions = await store.sessions()
      const receipts = await Promise.all(sessions.map((each) => store.receipts(each)))
      expect(receipts.flat()).toHaveLength(calls.length)
    } finally {
      for (const store of stores) await store.close()
    }
  })

  it('finds the newest session of a very long conversation with a few questions', async () => {
    for (const newest of [1, 2, 3, 7, 8, 9, 100]) {
      const store = await openStore({ kind: 'memory' })
      const key = { parent: 'hook-abc', origin: 'claude-code', folder: '/p' }
      for (let number = 1; number <= newest; number++)
        await store.openSession({ ...key, id: number === 1 ? 'hook-abc' : `hook-abc.${number}` })
      let questions = 0
      const counted = new Proxy(store, {
        get(target, name: keyof Store) {
          if (name === 'findSession') questions++
          const part = target[name]
          return typeof part === 'function' ? part.bind(target) : part
        },
      })
      expect(await admitOutput(counted, config, outputOf('one'))).not.toBeNull()
      const held = (await store.sessions()).filter(({ messages }) => messages > 0)
      expect(held.map(({ id }) => id)).toEqual([newest === 1 ? 'hook-abc' : `hook-abc.${newest}`])
      expect(questions).toBeLessThanOrEqual(1 + 2 * Math.log2(newest))
      await store.close()
    }
  })
})
