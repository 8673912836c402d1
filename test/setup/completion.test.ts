import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../scripts/system-package.mjs'
import type { TerminalAct } from '../e2e/opencode/serve-plan.ts'
import { atTerminal } from '../e2e/opencode/terminal.ts'
import { createUser, type TestUser } from './own-command.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest completion '))
const user: TestUser = createUser()
const scripts: Record<string, string> = {}
beforeAll(async () => {
  writeFileSync(path.join(scratch, 'session.jsonl'), '')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out, code } = await user.run(['completion', shell])
    expect(code).toBe(0)
    scripts[shell] = path.join(scratch, `palimpsest.${shell}`)
    writeFileSync(scripts[shell], out)
  }
}, 120_000)
afterAll(() => {
  user.remove()
  rmSync(scratch, { recursive: true, force: true })
})

/** What a person types before Tab, and what is offered then; `session.jsonl` is a file. */
const cases: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['doc', ['doctor']],
  ['run cl', ['claude', 'cline']],
  ['run --preset compact cl', ['claude', 'cline']],
  ['run claude se', ['session.jsonl']],
  ['init --un', ['--undo']],
  ['init claude co', ['codex', 'copilot']],
  ['memory fo', ['forget']],
  ['memory add --conf', ['--confidence', '--config']],
  ['replay se', ['session.jsonl']],
  ['doctor --store se', ['session.jsonl']],
  ['completion ', ['bash', 'fish', 'zsh']],
]

/** What bash offers: the words of the function, or files where there are none. */
function inBash(typed: string): readonly string[] {
  const words = ['palimpsest', ...typed.split(' ')]
  const list = words.map((word) => `'${word}'`).join(' ')
  const script = `. "$1"; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _palimpsest
    complete -p palimpsest | grep -q -- '-o default' && (( $\{#COMPREPLY[@]} == 0 )) && COMPREPLY=($(compgen -f -- '${words.at(-1)}'))
    printf '%s\\n' "$\{COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', scripts.bash!], {
    cwd: scratch,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line !== '')
}

function inFish(typed: string): readonly string[] {
  const { stdout, stderr } = spawnSync(
    'fish',
    ['-N', '-c', `source '${scripts.fish}'; complete -C 'palimpsest ${typed}'`],
    { cwd: scratch, encoding: 'utf8', env: { ...process.env, HOME: user.home } },
  )
  expect(stderr).toBe('')
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t', 1)[0] ?? '']))
}

/** Types each of the cases in a terminal and presses Tab: the line and the list below it. */
async function atKeyboard(shell: 'bash' | 'zsh'): Promise<Readonly<Record<string, string>>> {
  const start = {
    bash: 'exec bash --norc --noprofile -i',
    zsh: "export PS1='ready> '; exec zsh -f -i",
  }
  user.program('shell', start[shell])
  const load = {
    bash: `PS1='ready> '; bind 'set show-all-if-ambiguous on'; . '${scripts.bash}'`,
    zsh: `autoload -Uz compinit; compinit -u -D; . '${scripts.zsh}'`,
  }
  const type = (text: string): TerminalAct => ({ kind: 'type', text })
  const press = (key: string): TerminalAct => ({ kind: 'press', key })
  const until = (text: string): TerminalAct => ({ kind: 'await', text })
  return atTerminal({
    command: path.join(user.bin, 'shell'),
    folder: scratch,
    answers: path.join(scratch, shell, 'answers'),
    environment: {
      ...{ PATH: `${user.bin}:/usr/bin:/bin`, HOME: user.home },
      ...{ TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    },
    acts: [
      until(shell === 'bash' ? 'bash-' : 'ready>'),
      type(`${load[shell]}; echo lo''aded`),
      press('Enter'),
      until('loaded'),
      ...cases.flatMap(([typed], at) => [
        type(`clear; echo be''gin${at}`),
        press('Enter'),
        until(`begin${at}`),
        type(`palimpsest ${typed}`),
        press('Tab'),
        press('Tab'),
        type(` #end${at}`),
        until(`#end${at}`),
        { kind: 'screen', name: typed } as const,
        press('C-c'),
      ]),
    ],
  })
}

describe('completion', { timeout: 120_000 }, () => {
  it.each(cases)('offers what may follow `palimpsest %s` in bash', (typed, offered) => {
    expect(inBash(typed).toSorted()).toEqual(offered)
  })

  it('refuses another shell', async () => {
    expect(await user.run(['completion', 'tcsh'])).toMatchObject({ code: 2 })
  })
})

const hasFish = hasProgram('fish')
const need = (program: string): string =>
  ` (skipped: no ${program}, get it with \`npm test -- --all\`)`
describe.skipIf(!hasFish)(`completion in fish${hasFish ? '' : need('fish')}`, () => {
  it.each(cases)('offers what may follow `palimpsest %s`', (typed, offered) => {
    expect(inFish(typed).toSorted()).toEqual(offered)
  })
})

for (const shell of ['bash', 'zsh'] as const) {
  const canType = hasProgram('tmux') && hasProgram(shell)
  const title = `the Tab key in ${shell}${canType ? '' : need(`tmux or ${shell}`)}`
  describe.skipIf(!canType)(title, { timeout: 180_000 }, () => {
    it('offers what may follow', async () => {
      mkdirSync(path.join(scratch, shell))
      const screens = await atKeyboard(shell)
      expect(screens.missed).toBe(undefined)
      for (const [typed, [only, ...others]] of cases) {
        const wanted =
          others.length === 0
            ? [`palimpsest ${typed.replace(/\S*$/, '')}${only}`]
            : [only, ...others]
        for (const each of wanted) expect(screens[typed]).toContain(each)
      }
    })
  })
}
