import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
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

describe('run', { timeout: 120_000 }, () => {
  it('passes arguments, variables and the exit code, and says that nothing arrived', async () => {
    const { run, program } = user()
    program('mine', 'echo "$1|$2|$ANTHROPIC_BASE_URL|$OPENAI_BASE_URL"; exit 7')
    const { code, out, err } = await run(['run', 'mine', '--help', 'two words'])
    expect(code).toBe(7)
    expect(out).toMatch(/^--help\|two words\|(http:\/\/127\.0\.0\.1:\d+)\|\1\/v1\n$/)
    expect(err.trim()).toBe('no request reached the gateway, so nothing was saved')
  })

  it('forwards to the address that the user has set', async () => {
    const { run, program } = user()
    program('mine', 'echo "$ANTHROPIC_BASE_URL"')
    const { out } = await run(['run', '--quiet', 'mine'], {
      env: { ANTHROPIC_BASE_URL: 'https://company.example/claude' },
    })
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/own-anthropic\n$/)
  })

  it.each([
    ['as JSON', () => '{"model":"x","env":{"ANTHROPIC_BASE_URL":"https://company.example"}}'],
    [
      'in a file',
      ({ file }: TestUser) =>
        file('own settings.json', '{"env":{"ANTHROPIC_BASE_URL":"https://company.example"}}'),
    ],
  ])('forwards to the address in the settings that Claude Code is given %s', async (_, given) => {
    const someone = user()
    someone.program('claude', 'for each; do echo "$each"; done')
    const { out } = await someone.run(['run', 'claude', '--settings', given(someone), '-p', 'hi'])
    expect(out).toMatch(/^--settings=.*"ANTHROPIC_BASE_URL":"http:\/\/127\.0\.0\.1:\d+\/claude"/m)
  })

  it('names the address that a project sets, and does not send keys there', async () => {
    const { run, program, file, home } = user()
    file('work/.claude/settings.json', '{"env":{"ANTHROPIC_BASE_URL":"https://project.example"}}')
    program('claude', 'for each; do echo "$each"; done')
    const inProject = await run(['run', 'claude'], { cwd: path.join(home, 'work') })
    expect(inProject.out).toMatch(/"ANTHROPIC_BASE_URL":"http:\/\/127\.0\.0\.1:\d+"/)
    expect(inProject.err).toContain('--upstream anthropic=https://project.example')
    // In the home folder these are the user's own settings, which are followed.
    file('.claude/settings.json', '{"env":{"ANTHROPIC_BASE_URL":"https://mine.example"}}')
    const atHome = await run(['run', 'claude'])
    expect(atHome.out).toMatch(/"ANTHROPIC_BASE_URL":"http:\/\/127\.0\.0\.1:\d+\/claude"/)
    expect(atHome.err).not.toContain('--upstream')
  })

  it('says how an agent is installed that is not there', async () => {
    const { code, err } = await user().run(['run', 'codex'])
    expect(code).toBe(127)
    expect(err).toContain('npm install -g @openai/codex')
    const mistyped = await user().run(['run', 'cluade'])
    expect(mistyped.code).toBe(127)
    expect(mistyped.err).toContain('did you mean claude?')
  })

  it('says why an agent cannot be started, and ends with 126 as a shell does', async () => {
    const { run, bin } = user()
    writeFileSync(path.join(bin, 'claude'), '#!/no/such/node\n', { mode: 0o755 })
    const { code, err } = await run(['run', 'claude'])
    expect(code).toBe(126)
    expect(err).toContain('claude cannot be started (ENOENT): the program named in its first line')
    expect(err).not.toContain('internal error')
  })

  it.each([
    ['SIGTERM', 43],
    ['SIGHUP', 44],
    ['SIGINT', 45],
  ] as const)('hands %s to the agent and waits for its end', async (signal, code) => {
    const { start, program } = user()
    // A shell cannot trap a signal that was ignored when it started, as in the background of another shell.
    const script =
      "for (const [name, code] of [['SIGTERM', 43], ['SIGHUP', 44], ['SIGINT', 45]]) process.on(name, () => process.exit(code)); setInterval(() => {}, 1000); console.log('ready')"
    program('mine', `exec node -e "${script}"`)
    const child = await start(['run', 'mine'])
    await once(child.stdout!, 'data')
    child.kill(signal)
    expect((await once(child, 'close'))[0]).toBe(code)
  })

  it('gives 128 and the number of the signal that ended the agent', async () => {
    const { run, program } = user()
    program('mine', 'kill -9 $$')
    expect((await run(['run', 'mine'])).code).toBe(137)
  })

  it('leaves the configuration as it is when it is killed hard', async () => {
    const { start, run, program, file, home } = user()
    const settings = file('.claude/settings.json', '{ "env": { "A": "b" } }\n')
    program('claude', 'echo "$@"; exec sleep 60')
    const child = await start(['run', 'claude', '-p', 'hi'])
    const [said] = (await once(child.stdout!, 'data')) as [Buffer]
    expect(String(said)).toMatch(/--mcp-config=.*--settings=.*-p hi/)
    child.kill('SIGKILL')
    child.stdout?.destroy()
    child.stderr?.destroy()
    await once(child, 'exit')
    expect(readFileSync(settings, 'utf8')).toBe('{ "env": { "A": "b" } }\n')
    expect(readdirSync(path.join(home, '.claude'))).toEqual(['settings.json'])
    const left = () =>
      readdirSync(path.join(home, '.config/palimpsest')).filter((name) => /^run-/.test(name))
    expect(left()).toHaveLength(1)
    program('mine', 'exit 0')
    await run(['run', 'mine'])
    expect(left()).toEqual([])
  })

  it('works in a home that cannot be written, with originals in memory', async () => {
    const { run, program, home, bin } = user()
    program('mine', 'exit 0')
    for (const folder of [path.dirname(home), bin]) chmodSync(folder, 0o755)
    chmodSync(home, 0o555)
    const { code, err } = await run(['run', 'mine'], { within: asNobody })
    chmodSync(home, 0o755)
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(err).toContain('originals are kept in memory until this run ends')
    expect(existsSync(path.join(home, '.config'))).toBe(false)
  })
})
