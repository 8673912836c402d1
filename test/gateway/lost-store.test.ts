import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GatewayStatus } from '../../src/gateway/index.ts'
import { openStore } from '../../src/store/index.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let served: ServedCommands
beforeEach(async () => {
  served = await serveCommands()
}, 120_000)
afterEach(() => served.stop())

const bodies = storyBodies('anthropic')

async function sent({ url }: Serving, body: string, session = 's'): Promise<string> {
  await post(`${url}${paths.anthropic}`, body, { 'x-session-id': session })
  return served.upstream.received.at(-1)?.body.toString() ?? ''
}

async function status({ url }: Serving): Promise<GatewayStatus> {
  return (await fetch(`${url}/palimpsest/status`)).json() as Promise<GatewayStatus>
}

describe('a store whose file is lost while it is in use', { timeout: 120_000 }, () => {
  it('can keep tokens and tell whose sessions are whose in the new file', async () => {
    const file = path.join(served.folder, 'team.db')
    const store = await openStore({ kind: 'sqlite', path: file })
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    expect(await store.team.tokens()).toEqual([])
    expect(await store.sessions({ owner: null })).toEqual([])
    await store.close()
  })

  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['deleted with its log', (file: string) => rmSync(path.dirname(file), { recursive: true })],
    ['moved', (file: string) => renameSync(file, `${file}.elsewhere`)],
  ])(
    '%s: the next bytes are the same, everything can be restored, and it is told',
    async (_how, lose) => {
      const whole = await served.start('whole.db')
      const expected: string[] = []
      for (const body of bodies) expected.push(await sent(whole, body))
      expect(expected.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)

      const file = path.join(served.folder, 'a folder', 'lost.db')
      let serving = await served.start('a folder/lost.db')
      for (const [turn, body] of bodies.entries()) {
        // Another session, so that the numbers of the new file are not those of the old one.
        if (turn === 0) for (const other of ['x', 'y']) await sent(serving, bodies[4] ?? '', other)
        if (turn === 10) lose(file)
        expect(await sent(serving, body)).toBe(expected[turn])
      }
      expect(existsSync(file)).toBe(true)
      expect(await status(serving)).toMatchObject({ storeRenewals: 1, storeProblem: null })
      expect(serving.errors).toContain('the file of the store was deleted or replaced')
      // What was sent before stays restorable, and a new process goes on with it.
      await serving.end('SIGTERM')
      const store = await openStore({ kind: 'sqlite', path: file })
      const handles = expected.join('\n').match(/ [0-9a-f]{6,}\]/g) ?? []
      expect(handles.length).toBeGreaterThan(0)
      for (const said of new Set(handles)) {
        const handle = said.slice(1, -1)
        expect([said, (await store.original(handle)).kind]).toEqual([said, 'found'])
      }
      await store.close()
      serving = await served.start('a folder/lost.db')
      expect(await sent(serving, bodies.at(-1) as string)).toBe(expected.at(-1))
    },
  )

  it('never writes one session into another that has its number in the new file', async () => {
    const file = path.join(served.folder, 'numbers.db')
    const serving = await served.start('numbers.db')
    const story = (word: string): readonly string[] => storyBodies('anthropic', { word })
    for (const word of ['alpha', 'beta'])
      for (const body of story(word).slice(0, 8)) await sent(serving, body, word)
    rmSync(file)
    // The second session gets the first one's number, with as many messages and decisions.
    for (const word of ['beta', 'alpha'])
      for (const body of story(word).slice(8)) await sent(serving, body, word)
    await serving.end('SIGTERM')
    const store = await openStore({ kind: 'sqlite', path: file })
    const sessions = await store.sessions()
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(['alpha', 'beta'])
    for (const session of sessions) {
      const texts = JSON.stringify((await store.load(session)).messages)
      expect(texts).toContain(`(${session.id})`)
      expect(texts).not.toContain(session.id === 'alpha' ? '(beta)' : '(alpha)')
    }
    await store.close()
  })
})
