import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { bundledCommand } from '../bundled-program.ts'
import { createUser, type Ended, type TestUser } from './own-command.ts'

const users: TestUser[] = []
const user = (): TestUser => {
  const made = createUser()
  users.push(made)
  made.file('.claude/settings.json', '{}\n')
  return made
}
afterAll(() => {
  for (const each of users) each.remove()
})

const rows = (count: number, what = 'fine'): string =>
  Array.from({ length: count }, (_, at) => `row_${at} of the report is ${what}`).join('\n')

interface Output {
  readonly stdout: string
  readonly call?: string
  readonly more?: object
  readonly prompt?: string
}

/** What Claude Code does after a command. */
async function afterCommand(
  { home }: TestUser,
  { stdout, call = 'toolu_1', more = {}, prompt }: Output,
): Promise<Ended> {
  const transcript = path.join(home, `transcript ${call}.jsonl`)
  const said = { type: 'user', message: { role: 'user', content: prompt ?? '' } }
  writeFileSync(transcript, `${JSON.stringify(said)}\n`)
  const event = {
    ...{ session_id: 'abc', transcript_path: transcript, cwd: home, tool_use_id: call },
    ...{
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'make report' },
    },
    tool_response: { stdout, stderr: 'a warning', interrupted: false, isImage: false, ...more },
  }
  const child = spawn(process.execPath, [await bundledCommand(), 'hook'], {
    env: { PATH: '/usr/bin:/bin', HOME: home },
    cwd: home,
  })
  child.stdin.end(JSON.stringify(event))
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, out, err }
}

function shownIn({ out }: Ended): string {
  const answer = JSON.parse(out) as {
    hookSpecificOutput: { updatedToolOutput: { stdout: string; stderr: string } }
  }
  expect(answer.hookSpecificOutput.updatedToolOutput).toMatchObject({
    stderr: 'a warning',
    interrupted: false,
    isImage: false,
  })
  return answer.hookSpecificOutput.updatedToolOutput.stdout
}

const quiet = { code: 0, out: '' }

describe('the hook', { timeout: 120_000 }, () => {
  it('shortens an output above the size of the first sight, and keeps what was asked about', async () => {
    const someone = user()
    const original = rows(600)
    const digest = shownIn(
      await afterCommand(someone, { stdout: original, prompt: 'What is wrong with row_417?' }),
    )
    expect(digest.length).toBeLessThan(original.length / 2)
    expect(digest).toContain('row_417 of the report is fine')
    const handle = /restore' ([0-9a-f]{6,})\]$/.exec(digest)?.[1] ?? 'none'
    expect((await someone.run(['restore', handle])).out).toBe(original)
  })

  it('is counted where savings are shown: once for each output, and in no dollars', async () => {
    const someone = user()
    const { run, home } = someone
    expect(await run(['init', '--hooks', '--yes'])).toMatchObject({ code: 0 })
    const digest = shownIn(await afterCommand(someone, { stdout: rows(600), call: 'toolu_1' }))
    await afterCommand(someone, { stdout: rows(600, 'well'), call: 'toolu_2' })
    await afterCommand(someone, { stdout: rows(10), call: 'toolu_3' })
    const { totals, groups } = JSON.parse((await run(['gain', '--by', 'agent', '--json'])).out)
    expect(totals).toMatchObject({ outputs: 2, requests: 0, sessions: 1, savedDollars: null })
    expect(totals.tokens.without).toBeGreaterThan(rows(1_200).length / 8)
    expect(totals.tokens.with).toBeLessThan(digest.length)
    expect(groups).toMatchObject([{ name: 'Claude Code', outputs: 2 }])
    const said = (await run(['gain'])).out
    expect(said).toMatch(/^saved [\d.]+k of [\d.]+k tokens/)
    expect(said).toContain('shortened by the hook: 2 outputs')
    expect(said).not.toContain('$')
    const doctor = JSON.parse((await run(['doctor', '--json'])).out) as {
      findings: readonly { check: string; text: string }[]
    }
    const hook = doctor.findings.find(({ check }) => check === 'hooks')
    expect(hook?.text).toMatch(/has the hook.*, 2 outputs shortened by \d+ %$/)
    expect((await run(['show'])).out).toMatch(
      /session hook-abc, 2 outputs of the hook\n2 items shortened/,
    )
    const line = await run(['statusline'], {
      within: ['/bin/sh', '-c', `echo '{"session_id":"abc"}' | "$@"`, 'sh'],
      cwd: home,
    })
    expect(line.out).toMatch(/^palimpsest: .*saved \d+ %/)
  })

  it('loads a bounded session for each output, however long the conversation is', async () => {
    const someone = user()
    const digests: string[] = []
    for (let call = 0; call < 22; call++)
      digests.push(
        shownIn(
          await afterCommand(someone, {
            stdout: rows(500, `in part ${call}`),
            call: `toolu_${call}`,
          }),
        ),
      )
    const sessions = JSON.parse((await someone.run(['sessions', '--json'])).out)
    expect(sessions).toMatchObject([
      { id: 'hook-abc.2', parent: 'hook-abc' },
      { id: 'hook-abc', parent: null },
    ])
    const handles = digests.map((digest) => /([0-9a-f]{6,})\]$/.exec(digest)?.[1] ?? 'none')
    expect(new Set(handles).size).toBe(22)
    for (const call of [0, 21])
      expect((await someone.run(['restore', handles[call] ?? ''])).out).toBe(
        rows(500, `in part ${call}`),
      )
  })

  it('leaves every other output as it is', async () => {
    const someone = user()
    expect(await afterCommand(someone, { stdout: rows(200) })).toMatchObject(quiet)
    const large = { stdout: rows(900) }
    for (const more of [{ isImage: true }, { persistedOutputPath: '/tmp/x.txt' }])
      expect(await afterCommand(someone, { ...large, more })).toMatchObject(quiet)
    await someone.run(['pause'])
    expect(await afterCommand(someone, large)).toMatchObject(quiet)
    await someone.run(['resume'])
    expect(shownIn(await afterCommand(someone, large))).toContain('left out')
  })

  it('follows the configuration', async () => {
    const someone = user()
    const config = '.config/palimpsest/palimpsest.jsonc'
    const output = { stdout: rows(200) }
    someone.file(config, '{ "strategies": { "admission": { "wholeChars": 3000 } } }')
    expect(shownIn(await afterCommand(someone, output))).toContain('left out')
    someone.file(config, '{ "strategies": { "admission": { "wholeChars": 30000 } } }')
    expect(await afterCommand(someone, { stdout: rows(600) })).toMatchObject(quiet)
    someone.file(config, '{ "enabled": false }')
    expect(await afterCommand(someone, { stdout: rows(600) })).toMatchObject(quiet)
  })

  it('points to nothing: the same output again is a digest of its own', async () => {
    const someone = user()
    const first = shownIn(await afterCommand(someone, { stdout: rows(600), call: 'toolu_1' }))
    const second = shownIn(await afterCommand(someone, { stdout: rows(600), call: 'toolu_2' }))
    expect(second.replace(/[0-9a-f]{6}\]$/, '')).toBe(first.replace(/[0-9a-f]{6}\]$/, ''))
  })

  it('shortens and keeps every output when commands end at the same time', async () => {
    const someone = user()
    const outputs = ['one', 'two', 'three', 'four', 'five', 'six'].map((what) => ({
      stdout: rows(600, what),
      call: what,
    }))
    const digests = await Promise.all(
      outputs.map(async (output) => shownIn(await afterCommand(someone, output))),
    )
    for (const [at, digest] of digests.entries()) {
      const handle = /([0-9a-f]{6,})\]$/.exec(digest)?.[1] ?? 'none'
      expect((await someone.run(['restore', handle])).out).toBe(outputs[at]?.stdout)
    }
  })

  it('leaves the output as it is when nothing can be kept, and says why to nobody but the log', async () => {
    const someone = user()
    mkdirSync(path.join(someone.home, '.config/palimpsest/palimpsest.db'), { recursive: true })
    const { code, out, err } = await afterCommand(someone, { stdout: rows(600) })
    expect({ code, out }).toEqual(quiet)
    expect(err).toContain('palimpsest.db')
  })
})

describe('init --hooks', { timeout: 120_000 }, () => {
  const files = [
    '{}\n',
    '{\n\t"theme": "dark"\n}\n',
    '{ "hooks": { "PostToolUse": [] } }',
    '{\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Edit", "hooks": [] }\n    ]\n  }\n}\n',
    '{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[]}],"Stop":[]}}',
  ]
  it.each(files)('is taken back to the byte from %j', async (text) => {
    const { run, file } = user()
    const settings = file('.claude/settings.json', text)
    expect(await run(['init', '--hooks', '--yes'])).toMatchObject({ code: 0 })
    const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
      hooks: { PostToolUse: readonly { matcher: string; hooks: readonly { command: string }[] }[] }
    }
    expect(hooks.PostToolUse[0]).toMatchObject({ matcher: 'Bash' })
    expect(hooks.PostToolUse[0]?.hooks[0]?.command).toMatch(/ hook$/)
    expect((await run(['init', '--hooks', '--yes'])).out).toContain('set up already')
    expect(await run(['init', '--undo', '--yes'])).toMatchObject({ code: 0 })
    expect(readFileSync(settings, 'utf8')).toBe(text)
  })

  it('leaves the hooks that the user has added since', async () => {
    const { run, file } = user()
    const settings = file('.claude/settings.json', '{}\n')
    await run(['init', '--hooks', '--yes'])
    const written = JSON.parse(readFileSync(settings, 'utf8')) as {
      hooks: { PostToolUse: object[] }
    }
    written.hooks.PostToolUse.unshift({ matcher: 'Edit', hooks: [] })
    writeFileSync(settings, JSON.stringify(written))
    await run(['init', '--undo', '--yes'])
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [] }] },
    })
  })

  it('stands beside agents that go through the gateway, and never shortens twice', async () => {
    const { run, file } = user()
    const config = file('.codex/config.toml', '# mine\n')
    const settings = path.join(path.dirname(path.dirname(config)), '.claude/settings.json')
    expect(await run(['init', '--hooks', '--yes'])).toMatchObject({ code: 0 })
    const all = await run(['init', '--yes', '--no-service'])
    expect(all).toMatchObject({ code: 0 })
    expect(all.err).toContain('Claude Code has the hook')
    expect(readFileSync(settings, 'utf8')).not.toContain('8787')
    expect(await run(['init', '--undo', 'codex', '--yes'])).toMatchObject({ code: 0 })
    expect(JSON.parse((await run(['doctor', '--json'])).out)).toMatchObject({ ok: true })
    expect(await run(['init', '--undo', '--hooks', '--yes'])).toMatchObject({ code: 0 })
    expect(await run(['init', 'claude', '--yes', '--no-service'])).toMatchObject({ code: 0 })
    const { code, err } = await run(['init', '--hooks', '--yes'])
    expect(code).toBe(2)
    expect(err).toContain('goes through the gateway already')
  })

  it('is repaired by doctor --fix when it was taken out by hand', async () => {
    const { run, file } = user()
    await run(['init', '--hooks', '--yes'])
    const settings = file('.claude/settings.json', '{}\n')
    expect((await run(['doctor'])).out).toContain('palimpsest init --hooks --yes')
    expect(await run(['doctor', '--fix'])).toMatchObject({ code: 0 })
    expect(readFileSync(settings, 'utf8')).toContain(' hook')
  })
})
