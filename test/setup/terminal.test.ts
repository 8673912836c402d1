import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../scripts/system-package.mjs'
import { bundledCommand } from '../bundled-program.ts'
import type { TerminalAct } from '../e2e/opencode/serve-plan.ts'
import { atTerminal } from '../e2e/opencode/terminal.ts'
import { createUser, type TestUser } from './own-command.ts'

const type = (text: string): TerminalAct => ({ kind: 'type', text })
const press = (key: string): TerminalAct => ({ kind: 'press', key })
const until = (text: string): TerminalAct => ({ kind: 'await', text })
const screen = (name: string): TerminalAct => ({ kind: 'screen', name })
const enter = (line: string, answer: string): readonly TerminalAct[] => [
  type(line),
  press('Enter'),
  until(answer),
]

const users: TestUser[] = []
afterAll(() => {
  for (const each of users) each.remove()
})

/** A user at a shell in a terminal, who has `palimpsest` and an agent. */
async function sitDown(agent: string): Promise<{
  readonly user: TestUser
  does(...acts: readonly TerminalAct[]): Promise<Readonly<Record<string, string>>>
}> {
  const user = createUser()
  users.push(user)
  user.program('palimpsest', `exec '${process.execPath}' '${await bundledCommand()}' "$@"`)
  user.program('mine', `exec '${process.execPath}' -e '${agent}'`)
  user.program('shell', 'exec bash --norc --noprofile -i')
  const environment = {
    PATH: [user.bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
    ...{ HOME: user.home, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  }
  const plan = { command: path.join(user.bin, 'shell'), folder: user.home, environment }
  const answers = path.join(path.dirname(user.home), 'answers')
  return {
    user,
    does: (...acts) => atTerminal({ ...plan, answers, acts: [until('bash-'), ...acts] }),
  }
}

/** Says its size, each change of it, what it gets, and the signals that reach it. */
const agent = `
const say = (what) => console.log(what)
say("size " + process.stdout.columns + "x" + process.stdout.rows)
process.stdout.on("resize", () => say("now " + process.stdout.columns + "x" + process.stdout.rows))
process.on("SIGINT", () => { say("interrupted"); process.exit(45) })
process.on("SIGCONT", () => say("continued"))
process.stdin.on("data", (text) => say("heard " + String(text).trim()))
`
/** A full-screen program reads Ctrl-Z as a key and stops itself alone. */
const rawAgent = `${agent}
process.stdin.setRawMode(true)
process.on("SIGCONT", () => process.stdin.setRawMode(false).setRawMode(true))
process.stdin.on("data", (key) => {
  if (key[0] === 26) process.kill(process.pid, "SIGSTOP")
  if (key[0] === 113) process.exit(7)
})
`

const hasTerminal = hasProgram('tmux')
const need = hasTerminal ? '' : ' (skipped: no tmux, get it with `npm test -- --all`)'

describe.skipIf(!hasTerminal)(`run at a terminal${need}`, { timeout: 180_000 }, () => {
  it('leaves the terminal to the agent: size, keys, Ctrl-Z and fg, Ctrl-C and the exit code', async () => {
    const { does } = await sitDown(agent)
    const screens = await does(
      ...enter('palimpsest run mine', 'size 100x46'),
      { kind: 'resize', columns: 90, rows: 40 },
      until('now 90x40'),
      ...enter('good morning', 'heard good morning'),
      press('C-z'),
      until('Stopped'),
      ...enter('echo at the $((1 + 1)). shell', 'at the 2. shell'),
      ...enter('fg', 'continued'),
      ...enter('still there?', 'heard still there?'),
      press('C-c'),
      until('interrupted'),
      until('no request reached the gateway'),
      ...enter('echo code $?', 'code 45'),
      screen('end'),
    )
    expect(screens.missed).toBe(undefined)
    expect(screens.end?.match(/interrupted/g)).toHaveLength(1)
  })

  it('stops with an agent that stops only itself, and goes on with it', async () => {
    const { does } = await sitDown(rawAgent)
    const screens = await does(
      ...enter('palimpsest run mine', 'size 100x46'),
      press('C-z'),
      until('Stopped'),
      ...enter('fg', 'continued'),
      press('q'),
      until('no request reached the gateway'),
      ...enter('echo code $?', 'code 7'),
    )
    expect(screens.missed).toBe(undefined)
  })
})

describe.skipIf(!hasTerminal)(`init at a terminal${need}`, { timeout: 180_000 }, () => {
  const settings = '{\n  "theme": "dark"\n}\n'
  const config = 'model = "gpt-5.5"\n'

  async function begin() {
    const place = await sitDown('')
    const files = [
      place.user.file('.claude/settings.json', settings),
      place.user.file('.codex/config.toml', config),
    ] as const
    return { ...place, texts: () => files.map((file) => readFileSync(file, 'utf8')) }
  }

  const asked = [
    ...enter('palimpsest init --no-service', 'Which agents should go through Palimpsest?'),
    until('Codex'),
  ]

  it('asks which agents, shows the change, and writes it after a yes', async () => {
    const { does, texts } = await begin()
    const screens = await does(
      ...asked,
      screen('agents'),
      // The first is Claude Code, which is left out so.
      press('Space'),
      press('Enter'),
      until('Give models the memory of you and the project'),
      press('Enter'),
      until('Write these changes?'),
      screen('diff'),
      press('Enter'),
      until('set up: Codex'),
      screen('end'),
    )
    expect(screens.missed).toBe(undefined)
    expect(screens.agents).toContain('Claude Code')
    expect(screens.diff).toMatch(/^│ +\+openai_base_url = "http:\/\/127\.0\.0\.1:8787\/v1"$/m)
    expect(screens.diff).not.toContain('ANTHROPIC_BASE_URL')
    expect(screens.end).toContain('palimpsest init --undo')
    const [claude, codex] = texts()
    expect(claude).toBe(settings)
    expect(codex).toContain('8787')
  })

  it.each([
    [
      'a no',
      [press('Enter'), until('Give models'), press('Enter'), until('Write these'), press('n')],
    ],
    ['Ctrl-C at the first question', [press('C-c')]],
    [
      'Ctrl-C at the last question',
      [press('Enter'), until('Give models'), press('Enter'), until('Write these'), press('C-c')],
    ],
  ] as const)('changes nothing after %s', async (_, acts) => {
    const { does, texts } = await begin()
    const screens = await does(
      ...asked,
      ...acts,
      until('nothing was changed'),
      ...enter('echo code $?', 'code 1'),
    )
    expect(screens.missed).toBe(undefined)
    expect(texts()).toEqual([settings, config])
  })
})
