import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { ContextExtractor, ConversationManager, LocalMemoryStore } from '../../src/memory/index.ts'
import { memoised } from './memoised.ts'
import { row } from './statement.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('memory supersession', () => {
  row('004-22', () => {
    const conversation = new ConversationManager(LocalMemoryStore.inMemory())
    conversation.addMessage({ role: 'user', text: 'I always use VS Code' })
    conversation.addMessage({ role: 'user', text: "I've switched to Neovim" })
    const { preferences } = conversation.getCurrentContext()
    expect(preferences.map(({ key, value }) => [key, value])).toEqual([['editor', 'Neovim']])
  })

  const run = promisify(execFile)
  /** What `npx tsx` prints of the demo in this folder. */
  const demoIn = async (cwd: string): Promise<string> => {
    const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs')
    const { stdout } = await run(process.execPath, [tsx, 'demo_supersession.ts'], { cwd })
    return stdout
  }
  const demo = memoised(() => demoIn(root))

  row('004-41', async () => {
    expect(await demo()).toContain('the first fact is still superseded by the second: true')
    // The same from the package, as `npm publish` would upload it, installed in a project.
    const project = mkdtempSync(path.join(tmpdir(), 'palimpsest packed '))
    const place = path.join(project, 'node_modules/palimpsest')
    mkdirSync(place, { recursive: true })
    // Older versions of Node.js have no SQLite, for which npm installs an optional dependency.
    const driver = 'node_modules/@photostructure'
    symlinkSync(path.join(root, driver), path.join(project, driver))
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]
    const { stdout: name } = await run('npm', pack, { cwd: root })
    const unpack = ['-xzf', path.join(project, name.trim()), '--strip-components=1', '-C', place]
    await run('tar', unpack)
    expect(await demoIn(place)).toBe(await demo())
    rmSync(project, { recursive: true })
  })

  row('004-42', async () => {
    const points = (await demo()).split(/^(?=\d\. )/m)
    expect(points.length).toBe(5)
    const [facts, preferences, decisions, context, persistence] = points
    expect(facts).toMatch(/user prefers VS Code \(superseded\)\n +user prefers Vim\n/)
    expect(preferences).toMatch(/current: Neovim\n +history: VS Code → Neovim/)
    expect(decisions).toContain('Use PostgreSQL → Use MongoDB → Use PostgreSQL with caching layer')
    for (const current of ['Vim', 'Neovim', 'caching layer']) expect(context).toContain(current)
    for (const old of ['VS Code', 'MongoDB']) expect(context).not.toContain(old)
    expect(persistence).toContain('the first fact is still superseded by the second: true')
  })

  row('004-43', () => {
    const conversation = new ConversationManager(LocalMemoryStore.inMemory())
    conversation.addMessage({ role: 'user', text: 'I always use npm' })
    const { corrections, changes } = conversation.addMessage({
      role: 'user',
      text: 'not npm, use pnpm',
    })
    expect(new ContextExtractor().extractCorrections('not npm, use pnpm')).toEqual(corrections)
    expect(corrections[0]).toMatchObject({ old: 'npm', new: 'pnpm' })
    expect(changes.map(({ value }) => value)).toContain('pnpm')
    expect(conversation.getCurrentContext().text).not.toMatch(/\bnpm\b/)
  })
})
