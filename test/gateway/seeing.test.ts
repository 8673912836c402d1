import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledCommand } from '../bundled-program.ts'
import { projectRoot } from '../model/project-root.ts'
import { countingAnswer } from './recording-upstream.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let served: ServedCommands
let serving: Serving
let command: string
const bodies = storyBodies('anthropic', { turns: 20 })

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The command as a person starts it in a pipe, with a home of its own. */
function run(args: readonly string[], input?: string): Promise<Run> {
  const env = {
    ...process.env,
    PALIMPSEST_HOME: served.folder,
    HOME: path.join(served.folder, 'user'),
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command, ...args],
      { env, cwd: served.folder },
      (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
    child.stdin?.end(input ?? '')
  })
}

const store = (): readonly string[] => ['--store', path.join(served.folder, 'seen.db')]

async function send(from: number, to: number, headers: Record<string, string> = {}): Promise<void> {
  for (const body of bodies.slice(from, to)) {
    const given = {
      'x-session-id': 'seen',
      'x-api-key': 'k',
      'user-agent': 'claude-cli/2.1',
      ...headers,
    }
    expect((await post(`${serving.url}${paths.anthropic}`, body, given)).status).toBe(200)
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
}

const fits = (out: string): readonly string[] =>
  out.split('\n').filter((line) => [...line].length > 80)

beforeAll(async () => {
  command = await bundledCommand()
  served = await serveCommands()
  served.upstream.answerWith(countingAnswer())
  serving = await served.start('seen.db')
  await send(0, 16)
}, 120_000)
afterAll(() => served.stop())

describe('palimpsest gain', () => {
  it('says what usage shows, and fits the terminal', async () => {
    const { code, out } = await run(['gain', ...store()])
    expect(code).toBe(0)
    expect(out).toMatch(/^saved \$0\.\d+ of \$0\.\d+ in the last 7 days\n/)
    expect(out).toContain("15 requests in 1 session; all by the provider's usage")
    expect(out.match(/^ {2}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2} /gm)).toHaveLength(7)
    expect(fits(out)).toEqual([])
    expect(out).not.toContain('\u001b')
  })

  it('groups, and gives the same as JSON', async () => {
    const { out } = await run(['gain', '--by', 'agent', '--json', '--since', '2h', ...store()])
    const { totals, groups, by } = JSON.parse(out) as {
      totals: { requests: number; savedDollars: number }
      groups: { name: string; requests: number }[]
      by: string
    }
    expect(by).toBe('agent')
    expect(groups).toMatchObject([{ name: 'Claude Code', requests: totals.requests }])
    const status = (await (await fetch(`${serving.url}/palimpsest/status`)).json()) as {
      tokens: { before: number; after: number }
    }
    expect(totals.savedDollars).toBeGreaterThan(0)
    expect(status.tokens.after).toBeLessThan(status.tokens.before)
  })

  it('refuses what it does not know', async () => {
    expect(await run(['gain', '--by', 'mood', ...store()])).toMatchObject({
      code: 2,
      err: expect.stringContaining('day, project, agent, model'),
    })
    expect(await run(['gain', '--week', '--month', ...store()])).toMatchObject({ code: 2 })
  })
})

describe('palimpsest serve', () => {
  it('prints a line for each request', () => {
    const lines = serving.output.split('\n').filter((line) => /\d\d:\d\d:\d\d {2}/.test(line))
    expect(lines).toHaveLength(16)
    expect(lines.at(-1)).toMatch(/Claude Code {2}\S+ {2}[\d.]+k? → [\d.]+k? {2}saved \$/)
  })
})

describe('palimpsest show', () => {
  it('lists what was left out of the last request, with handles and reasons', async () => {
    const { out, code } = await run(['show', ...store()])
    expect(code).toBe(0)
    expect(out).toMatch(/^session seen, request 16 of 16\n/)
    expect(out).toMatch(/^[0-9a-f]{6,} {2}turn +\d+ .*npm test$/m)
    expect(out).toMatch(/^ {8}pointer: an earlier item has the same text, see [0-9a-f]{6,}$/m)
    const json = JSON.parse((await run(['show', 'seen', '--at', '3', '--json', ...store()])).out)
    expect(json).toMatchObject({ session: 'seen', request: 3, leftOut: [] })
    expect(await run(['show', 'seen', '--at', '99', ...store()])).toMatchObject({ code: 2 })
    expect(await run(['show', 'nobody', ...store()])).toMatchObject({ code: 1 })
  })
})

describe('a session id', () => {
  it.each([['replay'], ['stats'], ['changelog']])('is taken by %s', async (name) => {
    const { code, out } = await run([name, 'seen', ...store()])
    expect(code, out).toBe(0)
  })

  it('is taken by explain and timeline', async () => {
    const { leftOut } = JSON.parse((await run(['show', '--json', ...store()])).out) as {
      leftOut: { handle: string }[]
    }
    const handle = leftOut[0]?.handle ?? ''
    expect((await run(['explain', 'seen', handle, ...store()])).out).toContain('get it back')
    const { out } = await run(['timeline', 'seen', '/project/src/part-0.ts', ...store()])
    expect(out).toContain('edit')
    expect((await run(['replay', 'nobody-knows', ...store()])).err).toContain(
      'no stored session has this id',
    )
  })

  it('has the verdict first in replay, and epochs only when asked', async () => {
    const brief = (await run(['replay', 'seen', ...store()])).out
    expect(brief).toMatch(/^input under /)
    expect(brief).toContain('16 requests')
    expect(brief).not.toContain('already pruned')
    expect(brief).not.toContain('paid back after')
  })
})

describe('palimpsest undo', () => {
  it('brings an original back into the next request of a running gateway', async () => {
    const { leftOut } = JSON.parse((await run(['show', '--json', ...store()])).out) as {
      leftOut: { handle: string; shown: string }[]
    }
    const pointer = leftOut.find(({ shown }) => shown === 'pointer')?.handle ?? ''
    const sentBefore = String(served.upstream.received.at(-1)?.body)
    expect(sentBefore).toContain(pointer)
    const done = await run(['undo', pointer, ...store()])
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining('back in full in the next'),
    })
    await send(16, 17)
    expect(String(served.upstream.received.at(-1)?.body)).not.toContain(pointer)
    expect(await run(['undo', pointer, ...store()])).toMatchObject({ code: 1 })
    expect(await run(['undo', 'ffffffff', ...store()])).toMatchObject({ code: 1 })
    expect(await run(['undo', 'xyz', ...store()])).toMatchObject({ code: 2 })
  })
})

describe('palimpsest pause', () => {
  it('reaches a running gateway, and resume ends it', async () => {
    const paused = await run(['pause', 'seen', '--json', ...store()])
    expect(JSON.parse(paused.out)).toEqual({ everything: false, sessions: ['seen'] })
    await send(17, 19)
    const lines = (): readonly string[] => serving.output.trimEnd().split('\n')
    expect(lines().at(-1)).toContain('paused')
    expect((await run(['statusline', ...store()], '{"session_id":"seen"}')).out).toContain('paused')
    expect((await run(['resume', 'seen', ...store()])).out).toContain('is on again')
    await send(19, 20)
    expect(lines().at(-1)).not.toContain('paused')
  })
})

describe('palimpsest watch', () => {
  it('prints a line for each request into a pipe, and ends with the first signal', async () => {
    const child = spawn(process.execPath, [command, 'watch', 'seen', '--json', ...store()], {
      env: { ...process.env, PALIMPSEST_HOME: served.folder },
      cwd: served.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const lines: string[] = []
    await new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (lines.push(line) === 19) resolve()
      })
    })
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as object)
    expect(first).toMatchObject({ session: 'seen', agent: 'claude-code', billing: 'tokens' })
    expect(last).toMatchObject({ usage: { output: 20 }, savedDollars: expect.any(Number) })
  })

  it('prints the state once, in 80 columns', async () => {
    const { out, code } = await run(['watch', '--once', ...store()])
    expect(code).toBe(0)
    expect(out).toMatch(/^Claude Code {2}\S+ {2}session seen\n/)
    expect(out).toMatch(/context {2}[\d.]+k? of /)
    expect(out).toContain('last decisions')
    expect(fits(out)).toEqual([])
  })
})

describe('palimpsest statusline', () => {
  it('prints one line for a session, and never fails', async () => {
    const line = await run(['statusline', ...store()], '{"session_id":"seen"}')
    expect(line).toMatchObject({ code: 0, err: '' })
    expect(line.out).toMatch(
      /^palimpsest: [\d.]+k? → [\d.]+k? · saved [\d.]+ %, \$[\d.]+ · cache [\d.]+ %\n$/,
    )
    expect(await run(['statusline', ...store()], '{"session_id":"other"}')).toMatchObject({
      code: 0,
      out: 'palimpsest: off\n',
    })
    expect(await run(['statusline', '--store', '/nowhere/at.db'], 'nonsense')).toMatchObject({
      code: 0,
      out: 'palimpsest: off\n',
    })
  })
})

describe('a subscription', () => {
  it('is told tokens, not dollars', async () => {
    const own = await served.start('plan.db')
    const headers = {
      'x-session-id': 'plan',
      authorization: 'Bearer sk-ant-oat01-x',
      'anthropic-beta': 'oauth-2025-04-20',
      'user-agent': 'claude-cli/2.1',
    }
    for (const body of bodies.slice(0, 12))
      await post(`${own.url}${paths.anthropic}`, body, headers)
    expect(await own.end('SIGTERM')).toBe(0)
    expect(own.output).toMatch(/\n12 requests: [\d.]+k tokens sent as [\d.]+k \([\d.]+ % less\)/)
    expect(own.output).not.toContain('saved $')
    const { out } = await run(['gain', '--store', path.join(served.folder, 'plan.db')])
    expect(out).toMatch(/^saved [\d.]+k? of [\d.]+k? tokens/)
    expect(out).not.toContain('$')
  })
})

describe('palimpsest without a command', () => {
  it("finds the agents' own sessions, and says what would have been saved", async () => {
    const nothing = await run([])
    expect(nothing).toMatchObject({
      code: 0,
      out: expect.stringContaining('no sessions of Claude Code'),
    })
    const storage = path.join(served.folder, 'user', '.pi', 'agent', 'sessions', 'p')
    mkdirSync(storage, { recursive: true })
    for (const copy of [1, 2, 3])
      cpSync(
        path.join(projectRoot, 'examples', 'sample-session.json'),
        path.join(storage, `${copy}.jsonl`),
      )
    const { out, code } = await run([])
    expect(code).toBe(0)
    expect(out).toMatch(/^Palimpsest would have saved [\d.]+ % \([\d.]+ % to [\d.]+ %\): /)
    expect(out).toContain('from 3 of 3 sessions')
    expect(out).toMatch(/next: palimpsest (run pi|gain)/)
    expect(fits(out)).toEqual([])
    const json = JSON.parse((await run(['--json'])).out)
    expect(json).toMatchObject({ sessions: 3, replayed: 3, agents: [{ agent: 'Pi', sessions: 3 }] })
  })
})
