import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HostedPlugin, hostedPlugin, saidIn } from '../../test/agent/hosted.ts'
import { lines } from '../../test/engine/told-session.ts'
import { preferManager } from '../../test/memory/prefer.ts'
import { Memory, openSqliteLog } from '../memory/index.ts'

let folder: string
let memory: Memory
let names = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-told-'))
  const log = openSqliteLog(join(folder, 'palimpsest.db'))
  memory = new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++names}` })
})

afterEach(() => {
  memory.close()
  rmSync(folder, { recursive: true })
})

const hosted = (given: object = { memory: { inject: true } }): Promise<HostedPlugin> =>
  hostedPlugin({ given: { store: join(folder, 'palimpsest.db'), ...given } })

const prefer = (value: string): string => preferManager(memory, value)

describe('what is remembered, in the list of the host', () => {
  it('stands before the first message and stays; changes come behind, and only add', async () => {
    prefer('npm')
    let plugin = await hosted()
    let session = plugin.conversation('s1')
    session.say('Work on it.')
    const shown: (readonly string[])[] = []
    for (let step = 0; step < 20; step++) {
      if (step === 6) prefer('pnpm')
      shown.push(saidIn(await session.request()))
      session.called('read', { filePath: `/project/f${step % 3}.ts` }, lines(1, 40, `f${step % 3}`))
      if (step !== 11) continue
      await plugin.hooks.dispose()
      plugin = await hosted()
      const { stored } = session
      session = plugin.conversation('s1')
      session.stored.push(...stored)
    }
    for (const [step, texts] of shown.entries()) {
      const told = texts.filter((text) => text.includes('<memory>'))
      expect(told).toHaveLength(step < 6 ? 1 : 2)
      expect(texts[0]).toContain('- package manager: npm')
      if (step > 0) expect(texts.slice(0, shown[step - 1]!.length)).toEqual(shown[step - 1])
    }
    expect(shown.at(-1)!.join('\n')).toContain('- package manager: pnpm (was: npm)')
    await plugin.hooks.dispose()
  })

  it('is not there unless the configuration asks for it, and keeps its budget', async () => {
    for (let count = 0; count < 40; count++) {
      const name = `${'abcdefgh'[count % 8]}${'klmno'[Math.floor(count / 8)]}`
      memory.add({ kind: 'fact', text: `the ${name} folder is worth knowing` })
    }
    const told = async (given: object): Promise<number> => {
      const plugin = await hosted(given)
      const session = plugin.conversation(`s${++names}`)
      session.say('Work on it.')
      const text = saidIn(await session.request()).join('\n')
      await plugin.hooks.dispose()
      return text.split('worth knowing').length - 1
    }
    expect(await told({})).toBe(0)
    expect(await told({ memory: { inject: true } })).toBe(40)
    expect(await told({ memory: { inject: true, budgetTokens: 60 } })).toBeLessThan(8)
  })

  it('is never in what the host has stored, and a summary sees it as the model did', async () => {
    prefer('npm')
    const plugin = await hosted()
    const session = plugin.conversation('s1')
    session.say('Work on it.')
    session.answered('Yes.')
    session.say('Go on.')
    const stored = JSON.stringify(session.stored)
    const shown = saidIn(await session.request())
    await plugin.hooks['experimental.session.compacting']({ sessionID: 's1' })
    prefer('pnpm')
    expect(saidIn(await session.request())).toEqual(shown)
    expect(JSON.stringify(session.stored)).toBe(stored)
    await plugin.hooks.dispose()
  })
})
