import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { bundledCommand } from '../bundled-program.ts'
import { type CapturedRun, captureRun } from '../captured-run.ts'
import { connectClient } from '../mcp/connected-client.ts'
import { type HostileRepository, hostileRepository } from './hostile-repository.ts'

let hostile: HostileRepository
beforeEach(() => {
  hostile = hostileRepository()
})
afterEach(() => rmSync(hostile.folder, { recursive: true, force: true }))

const run = (args: readonly string[], answer?: boolean): Promise<CapturedRun> =>
  captureRun(args, {
    cwd: hostile.project,
    home: hostile.home,
    ...(answer === undefined ? {} : { answer }),
  })
const isUntouched = (): boolean => readFileSync(hostile.startFile, 'utf8') === hostile.startText

describe('a repository that brings a store', () => {
  it('is not obeyed: the store is not opened, and one line says what was ignored', async () => {
    const { out, err } = await run(['memory', 'list', '--all', '--json'])
    expect(out).toBe('[]\n')
    const file = path.join(hostile.project, 'palimpsest.jsonc')
    expect(err).toBe(
      `palimpsest: ${file}: ignored store, which a project may not set by itself. To allow this, run: palimpsest trust '${hostile.project}'\n`,
    )
  })

  it('does not have a start-up file overwritten by memory_forget over MCP', async () => {
    const { home, project, item } = hostile
    const client = await connectClient({ home, cwd: project, elicitation: { confirm: true } })
    const answer = await client.call('memory_forget', { ids: [item] })
    await client.close()
    expect(answer).toMatchObject({ isError: true, text: `there is no memory item ${item}` })
    expect(client.errors).toContain('ignored store')
    expect(isUntouched()).toBe(true)
  }, 60_000)

  it('not even where the user names the store, on the command line or over MCP', async () => {
    const { home, project, item, store, startFile } = hostile
    const { code, out } = await run(['memory', 'forget', item, '--yes', '--store', store])
    expect(code).toBe(0)
    expect(out).toContain(
      `not changed: ${startFile} (not known as an export of this user on this machine)`,
    )
    expect(isUntouched()).toBe(true)
    const args = ['--store', store]
    const client = await connectClient({ home, cwd: project, args, elicitation: { confirm: true } })
    const answer = await client.value('memory_forget', { search: 'touch pwned' })
    await client.close()
    expect(answer).toMatchObject({ files: [], left: [{ path: startFile }] })
    expect(isUntouched()).toBe(true)
  }, 60_000)
})

describe('palimpsest trust', () => {
  const trusted = async (): Promise<boolean> =>
    (await run(['memory', 'list', '--all'])).out.includes('marzipan')

  it('allows what the file asks for now, and asks anew when it asks for something else', async () => {
    const said = await run(['trust'])
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain(`trusted: ${path.join(hostile.project, 'palimpsest.jsonc')} (store)`)
    expect(await trusted()).toBe(true)
    const record = path.join(hostile.home, 'trusted-folders.json')
    expect(statSync(record).mode & 0o777).toBe(0o600)
    const config = path.join(hostile.project, 'palimpsest.jsonc')
    writeFileSync(config, JSON.stringify({ store: 'notes.db', protectedTools: ['x'] }))
    expect(await trusted()).toBe(true)
    writeFileSync(config, JSON.stringify({ store: 'notes.db', memory: { inject: true } }))
    expect(await trusted()).toBe(false)
  })

  it('lists and revokes', async () => {
    const json = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await run(['trust', ...args, '--json'])).out)
    expect(await json('--list')).toEqual([])
    const [answer] = (await json(hostile.project)) as [object]
    expect(answer).toMatchObject({ folder: hostile.project, keys: ['store'], trusted: true })
    expect(await json('--list')).toEqual([answer])
    expect(await json('--revoke')).toEqual([answer])
    expect(await trusted()).toBe(false)
    expect((await run(['trust', '--revoke'])).code).toBe(1)
  })

  it('is asked for once at a terminal, and the answer is kept, yes or no', async () => {
    for (const answer of [false, true]) {
      rmSync(path.join(hostile.home, 'trusted-folders.json'), { force: true })
      const first = await run(['memory', 'list', '--all'], answer)
      expect(first.err).toContain('sets store, which a project may not set by itself.')
      expect(first.err).toContain('Do you trust this folder? [y/N]')
      expect(first.out.includes('marzipan')).toBe(answer)
      const second = await run(['memory', 'list', '--all'], !answer)
      expect([second.err, second.out]).toEqual(['', first.out])
    }
  })

  it('is asked for on a real terminal', async () => {
    const { home, project } = hostile
    const command = `'${process.execPath}' '${await bundledCommand()}' memory list --all`
    const asked = spawnSync('script', ['-qec', command, '/dev/null'], {
      input: 'yes\n',
      cwd: project,
      env: { ...process.env, PALIMPSEST_HOME: home },
      encoding: 'utf8',
    })
    expect(asked.stdout).toContain('Do you trust this folder?')
    expect(asked.stdout).toContain('marzipan')
    // Without one, nobody waits for an answer.
    rmSync(path.join(home, 'trusted-folders.json'))
    const unasked = await promisify(execFile)('sh', ['-c', `${command} </dev/null`], {
      cwd: project,
      env: { ...process.env, PALIMPSEST_HOME: home },
    })
    expect(unasked.stderr).toContain('palimpsest trust')
    expect(unasked.stdout).not.toContain('marzipan')
  }, 60_000)

  it('never holds for a file of another user, which cannot stop anybody either', async () => {
    await run(['trust'])
    expect(await trusted()).toBe(true)
    const user = process.getuid?.() ?? 0
    const { folder, project, home } = hostile
    rmSync(path.join(home, 'trusted-folders.json'))
    writeFileSync(path.join(folder, 'palimpsest.jsonc'), '{ this is not JSON')
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(user + 1)
    try {
      expect((await run(['trust'])).code).toBe(1)
      expect(existsSync(path.join(home, 'trusted-folders.json'))).toBe(false)
      const config = loadConfig({ cwd: project, home })
      expect(config.store).toBeUndefined()
      expect(config.untrusted).toMatchObject([{ isForeign: true }])
      expect(config.warnings.join()).toContain('belongs to another user')
    } finally {
      getuid.mockRestore()
    }
  })
})
