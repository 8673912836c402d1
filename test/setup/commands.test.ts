import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { openStore } from '../../src/store/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { serve } from '../gateway/serving.ts'
import { createUser, type TestUser } from './own-command.ts'

const users: TestUser[] = []
const user = (): TestUser => {
  const made = createUser()
  users.push(made)
  return made
}
afterAll(() => {
  for (const each of users) each.remove()
})

const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

/** A port that nothing listens on. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** A machine without a service manager. */
const alone = { env: { PATH: `${path.dirname(process.execPath)}:/bin` } }

interface Doctor {
  readonly ok: boolean
  readonly findings: readonly {
    readonly check: string
    readonly level: string
    readonly text: string
    readonly fix: string | null
  }[]
}

describe('init', { timeout: 120_000 }, () => {
  it('finds agents by their folders, shows the change and makes none with --dry-run', async () => {
    const { run, file, home } = user()
    const settings = file('.claude/settings.json', '{}\n')
    const { code, out } = await run(['init', '--dry-run', '--no-service'])
    expect(code).toBe(0)
    expect(out).toContain(settings)
    expect(out).toContain('+  "env": {')
    expect(readFileSync(settings, 'utf8')).toBe('{}\n')
    expect(existsSync(path.join(home, '.config'))).toBe(false)
  })

  it('fits what the user should know into the terminal', async () => {
    const { run, file } = user()
    file('.config/opencode/opencode.json', '{}\n')
    const { out } = await run(['init', '--dry-run', '--no-service'])
    expect(out).toContain('note: OpenCode: no provider')
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('asks, and without a terminal wants --yes', async () => {
    const { run, file } = user()
    file('.claude/settings.json', '{}\n')
    const { code, err } = await run(['init', '--no-service'])
    expect(code).toBe(2)
    expect(err).toContain('add --yes')
  })

  it('says which agents there are when it finds none, or not the one that was named', async () => {
    const { run } = user()
    expect(await run(['init', '--yes'])).toMatchObject({ code: 1 })
    const { code, err } = await run(['init', 'cloude', '--yes'])
    expect(code).toBe(2)
    expect(err).toContain('Use one of: claude, codex')
  })

  it('hides keys in the diff', async () => {
    const { run, file } = user()
    file(
      '.claude/settings.json',
      '{\n  "env": {\n    "ANTHROPIC_AUTH_TOKEN": "c0mpany-t0ken-0123456789",\n    "ANTHROPIC_API_KEY": "sk-ant-secret-0123456789"\n  }\n}\n',
    )
    const { out } = await run(['init', '--dry-run', '--no-service'])
    expect(out).toContain('"ANTHROPIC_AUTH_TOKEN": "[secret]"')
    expect(out).not.toMatch(/t0ken|secret-0123456789/)
  })

  it('undoes one agent and then all, around what the user wrote since', async () => {
    const { run, file, home } = user()
    const settings = file('.claude/settings.json', '{\n  "theme": "dark"\n}\n')
    const config = file('.codex/config.toml', '# mine\nmodel = "gpt-5.5"\n')
    expect(await run(['init', '--yes', '--no-service', '--memory'])).toMatchObject({ code: 0 })
    expect(readFileSync(config, 'utf8')).toContain('openai_base_url = "http://127.0.0.1:8787/v1"')
    expect(readFileSync(path.join(home, '.config/palimpsest/palimpsest.jsonc'), 'utf8')).toMatch(
      /"inject": true/,
    )
    expect(readdirSync(path.join(home, '.config/palimpsest/backups'))).toHaveLength(1)
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('dark', 'light'))
    expect(await run(['init', '--undo', 'codex', '--yes'])).toMatchObject({ code: 0 })
    expect(readFileSync(config, 'utf8')).toBe('# mine\nmodel = "gpt-5.5"\n')
    expect(readFileSync(settings, 'utf8')).toContain('8787')
    expect(await run(['init', '--undo', '--yes'])).toMatchObject({ code: 0 })
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "theme": "light"\n}\n')
    expect(existsSync(path.join(home, '.claude.json'))).toBe(false)
    expect(existsSync(path.join(home, '.config/palimpsest'))).toBe(false)
    const again = await run(['init', '--undo', '--yes'])
    expect(again).toMatchObject({ code: 0 })
    expect(again.err).toContain('nothing to undo')
  })

  it('remembers what is left to undo when a file cannot be written', async () => {
    const { run, file, home } = user()
    const settings = file('.claude/settings.json', '{\n  "theme": "dark"\n}\n')
    const config = file('.codex/config.toml', 'model = "gpt-5.5"')
    await run(['init', '--yes', '--no-service'])
    chmodSync(config, 0o444)
    const { code, err } = await run(['init', '--undo', '--yes'])
    expect(code).toBe(2)
    expect(err).toMatch(/config\.toml: cannot be written .* our change is still in it/)
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "theme": "dark"\n}\n')
    expect(readFileSync(config, 'utf8')).toContain('8787')
    chmodSync(config, 0o644)
    expect(await run(['init', '--undo', '--yes'])).toMatchObject({ code: 0 })
    expect(readFileSync(config, 'utf8')).toBe('model = "gpt-5.5"')
    expect(existsSync(path.join(home, '.config/palimpsest'))).toBe(false)
  })

  it('changes nothing where a file cannot be written, and says which', async () => {
    const { run, file, home, bin } = user()
    const settings = file('.claude/settings.json', '{}\n')
    for (const folder of [path.dirname(home), bin]) chmodSync(folder, 0o755)
    for (const folder of [path.dirname(settings), home]) chmodSync(folder, 0o555)
    const own = path.join(path.dirname(home), 'own')
    const { code, err } = await run(['init', '--yes', '--no-service'], {
      within: asNobody,
      env: { PALIMPSEST_HOME: own },
    })
    expect(code).toBe(2)
    expect(err).toMatch(
      /cannot be written, so nothing was changed|cannot be written .*so nothing was changed/,
    )
    expect(readFileSync(settings, 'utf8')).toBe('{}\n')
    for (const folder of [home, path.dirname(settings)]) chmodSync(folder, 0o755)
  })
})

describe('doctor', { timeout: 120_000 }, () => {
  const diagnose = async ({ run }: TestUser, ...args: readonly string[]): Promise<Doctor> =>
    JSON.parse((await run(['doctor', '--json', ...args], alone)).out) as Doctor

  it('names the command that mends each problem, and mends what it can', async () => {
    const someone = user()
    const settings = someone.file('.claude/settings.json', '{}\n')
    const port = await freePort()
    await someone.run(['init', 'claude', '--yes', '--no-service', '--port', port])
    const down = await diagnose(someone)
    expect(down.ok).toBe(false)
    expect(down.findings.find(({ check }) => check === 'gateway')).toMatchObject({
      level: 'error',
      fix: `palimpsest serve --port ${port}`,
    })
    writeFileSync(settings, '{ "mine": true }\n')
    const changed = await diagnose(someone)
    expect(changed.findings.find(({ check }) => check === 'claude')).toMatchObject({
      level: 'error',
      fix: 'palimpsest init claude --yes',
    })
    const fixed = await diagnose(someone, '--fix')
    expect(fixed.findings.find(({ check }) => check === 'claude')?.level).not.toBe('error')
    expect(readFileSync(settings, 'utf8')).toContain(`http://127.0.0.1:${port}`)
    await someone.run(['init', '--undo', '--yes'])
    expect(readFileSync(settings, 'utf8')).toBe('{ "mine": true }\n')
  })

  it('finds a configuration that is not valid', async () => {
    const someone = user()
    someone.file('.config/palimpsest/palimpsest.jsonc', '{ "presett": "compact" }')
    const { findings } = await diagnose(someone)
    expect(
      findings.some(({ check, text }) => check === 'configuration' && text.includes('presett')),
    ).toBe(true)
  })

  it('writes a report without keys, logins and the home folder', async () => {
    const { run, file, home } = user()
    file(
      '.config/palimpsest/palimpsest.jsonc',
      '{ "store": "postgres://me:secretword@db/x", "upstreams": { "x": "https://api.example" } } // sk-ant-abcdefghijkl',
    )
    const { code } = await run(['doctor', '--report', 'report.json'], alone)
    expect([0, 1]).toContain(code)
    const text = readFileSync(path.join(home, 'report.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ version: expect.any(String) as string })
    expect(text).not.toMatch(/secretword|abcdefghijkl/)
    expect(text).not.toContain(home)
  })
})

describe('doctor beside several gateways', { timeout: 120_000 }, () => {
  it('names those with another store, with the command that ends them', async () => {
    const someone = user()
    someone.file('.claude/settings.json', '{}\n')
    const port = await freePort()
    await someone.run(['init', 'claude', '--yes', '--no-service', '--port', port])
    const place = {
      command: await bundledCommand(),
      home: path.join(someone.home, '.config/palimpsest'),
    }
    const main = await serve({ ...place, port: Number(port) })
    const divided = async (): Promise<Doctor['findings']> =>
      (JSON.parse((await someone.run(['doctor', '--json'], alone)).out) as Doctor).findings.filter(
        ({ text, fix }) => text.includes('different stores') && fix?.includes(other.port) === true,
      )
    const second = await serve({ ...place, port: 'usual', store: path.join(someone.home, 'x.db') })
    const other = new URL(second.url)
    const [found] = await divided()
    expect(found).toMatchObject({ level: 'error' })
    expect(found?.text).toContain(`http://127.0.0.1:${port} and `)
    expect(found?.fix).toMatch(/^kill \$\(lsof -t -s tcp:listen .*\)$/)
    await second.end('SIGTERM')
    expect(await divided()).toEqual([])
    // The same store twice is no problem.
    const third = await serve({ ...place, port: Number(other.port) })
    expect(await divided()).toEqual([])
    await third.end('SIGTERM')
    await main.end('SIGTERM')
  })
})

describe('the report for a bug', { timeout: 120_000 }, () => {
  it('names no folder, address or pattern of the user, and keeps what helps', async () => {
    const { run, file, home } = user()
    file(
      '.config/palimpsest/palimpsest.jsonc',
      JSON.stringify({
        preset: 'compact',
        upstreams: { corporate: 'https://proxy.corporate.example/v1' },
        protectedFilePatterns: ['**/merger/**'],
        gc: { olderThan: '30d' },
        memory: { inject: true },
      }),
    )
    file(
      'work/merger/app/palimpsest.jsonc',
      '{ "upstreams": { "anthropic": "https://x.example" } }',
    )
    const store = path.join(home, 'work/vault/x.db')
    const { out } = await run(
      ['doctor', '--report', path.join(home, 'report.json'), '--store', store, '--json'],
      {
        cwd: path.join(home, 'work/merger/app'),
        env: { ...alone.env, ANTHROPIC_API_KEY: 'k', PIP_INDEX_URL: 'x' },
      },
    )
    expect(JSON.parse(out)).toMatchObject({ store, version: expect.any(String) as string })
    const text = readFileSync(path.join(home, 'report.json'), 'utf8')
    expect(text).not.toMatch(/merger|corporate|vault|PIP_/)
    expect(JSON.parse(text)).toMatchObject({
      configuration: {
        preset: 'compact',
        upstreams: { '[name 1]': '[text]' },
        protectedFilePatterns: ['[text]'],
        gc: { olderThan: '30d' },
        memory: { inject: true },
      },
      variables: ['ANTHROPIC_API_KEY'],
    })
    expect(text).toContain('<project>/palimpsest.jsonc')
  })

  it('says one mistake of the configuration once', async () => {
    const { run, file } = user()
    file('.config/palimpsest/palimpsest.jsonc', '{ "presett": "compact" }')
    const { findings } = JSON.parse((await run(['doctor', '--json'], alone)).out) as Doctor
    expect(findings.filter(({ text }) => text.includes('presett'))).toHaveLength(1)
  })
})

describe('serve', { timeout: 120_000 }, () => {
  it('takes the next port when the usual one is taken, and says so', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => {
      other.once('error', () => resolve()).listen(8787, '127.0.0.1', () => resolve())
    })
    const { home } = user()
    const serving = await serve({ command: await bundledCommand(), home, args: [], port: 'usual' })
    expect(serving.url).not.toBe('http://127.0.0.1:8787')
    expect(serving.errors).toContain('port 8787 is taken')
    await serving.end('SIGTERM')
    other.close()
  })

  it('refuses a port that was asked for and is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { readonly port: number }
    const { code, err } = await user().run(['serve', '--port', String(port)])
    other.close()
    expect(code).toBe(2)
    expect(err).toContain(`port ${port}`)
  })
})

describe('purge', { timeout: 120_000 }, () => {
  it('shows what there is, and deletes all of it', async () => {
    const { run, home } = user()
    const file = path.join(home, 'store.db')
    const store = await openStore({ kind: 'sqlite', path: file })
    const session = await store.openSession({ id: 'abcdef', origin: 'gateway' })
    await store.append(session, {
      expected: { messages: 0, ledger: 0, entries: 0 },
      messages: [
        {
          previous: null,
          draft: { role: 'user', items: [{ kind: 'text', text: 'the secret plan' }] },
          handles: ['a1b2c3'],
        },
      ],
    })
    await store.close()
    const memory = new Memory({ log: openSqliteLog(file), now: Date.now, newId: () => 'fact_1' })
    memory.add({ kind: 'fact', text: 'the secret host' })
    memory.close()
    const preview = await run(['purge', '--store', file, '--dry-run'])
    expect(preview.out).toMatch(/^would delete 1 session with .*, 1 memory item: /)
    expect(await run(['purge', '--store', file])).toMatchObject({ code: 2 })
    expect(await run(['purge', '--store', file, '--yes'])).toMatchObject({ code: 0 })
    const files = readdirSync(home).filter((name) => name.startsWith('store.db'))
    const kept = files.map((name) => readFileSync(path.join(home, name), 'latin1'))
    expect(kept.join('')).not.toContain('secret')
    expect((await run(['purge', '--store', file, '--yes'])).out).toContain('nothing is kept')
  })
})
