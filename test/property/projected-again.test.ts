import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../src/actions/understand.ts'
import type { ConfigFile } from '../../src/config/config.ts'
import { createProtection } from '../../src/config/protection.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import { createEngine, type EngineOptions } from '../../src/core/engine.ts'
import type { ProjectedChange } from '../../src/core/session/project.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import { applyChanges } from './checks.ts'

interface Step {
  readonly tool: string
  readonly input: string
  readonly output: string
  readonly status: 'ok' | 'error'
}

const step = (tool: string, input: object | string, output: string): Step => ({
  tool,
  input: typeof input === 'string' ? input : JSON.stringify(input),
  output,
  status: 'ok',
})
const text = (from: number, to: number): readonly string[] =>
  Array.from(
    { length: to - from },
    (_, n) => `  const value${from + n} = compute(${from + n}, 'x')`,
  )
const numbered = (first: number, lines: readonly string[]): string =>
  lines.map((line, n) => `${String(first + n).padStart(6)}→${line}`).join('\n')

const read = (path: string, first: number, lines: readonly string[]): Step =>
  step(
    'Read',
    { file_path: `/app/${path}`, offset: first, limit: lines.length },
    numbered(first, lines),
  )
const write = (path: string, lines: readonly string[]): Step =>
  step('Write', { file_path: `/app/${path}`, content: `${lines.join('\n')}\n` }, 'Wrote it.')
const edit = (path: string, before: readonly string[], after: readonly string[]): Step =>
  step(
    'Edit',
    { file_path: `/app/${path}`, old_string: before.join('\n'), new_string: after.join('\n') },
    'The file has been updated successfully.',
  )
const bash = (command: string, output: string): Step => step('Bash', { command }, output)
const printed = (command: string, lines: readonly string[]): Step =>
  step('bash', command, `<returncode>0</returncode>\n<output>\n${lines.join('\n')}\n</output>`)
const fetched = (url: string): Step =>
  step('WebFetch', { url, prompt: 'What does it say?' }, 'It says this. '.repeat(20))
const failed = (one: Step): Step => ({ ...one, status: 'error' })
const said = (words: string): MessageDraft => ({
  role: 'user',
  items: [{ kind: 'text', text: words }],
})

let waits = 0
const wait = (turns: number): readonly Step[] =>
  Array.from({ length: turns }, () => bash(`echo ${++waits}`, `${waits}`))

/** Each step is a turn; those in a list are one together. */
type Turn = Step | readonly Step[] | MessageDraft

function told(turns: readonly Turn[]): readonly MessageDraft[] {
  let calls = 0
  return [
    said('Go on.'),
    ...turns.flatMap((turn): readonly MessageDraft[] => {
      if ('role' in turn) return [turn]
      const steps = (Array.isArray(turn) ? turn : [turn]) as readonly Step[]
      const from = calls
      calls += steps.length
      const items = steps.map(
        ({ tool, input }, n): ItemDraft => ({
          kind: 'call',
          tool,
          call: `c${from + n}`,
          text: input,
        }),
      )
      const results = steps.map(
        ({ tool, output, status }, n): ItemDraft => ({
          kind: 'result',
          tool,
          call: `c${from + n}`,
          status,
          text: output,
        }),
      )
      return [
        { role: 'assistant', items },
        { role: 'tool', items: results },
      ]
    }),
  ]
}

/** What is shown otherwise of a session, and then of what was shown. */
function twice(
  turns: readonly Turn[],
  config: ConfigFile,
  restore: EngineOptions['restore'],
): { readonly first: readonly ProjectedChange[]; readonly again: readonly ProjectedChange[] } {
  const settings = resolveSettings({ preset: 'balanced', schedule: 'eager', ...config })
  const project = (messages: readonly MessageDraft[]): readonly ProjectedChange[] =>
    createEngine({
      restore,
      settings,
      understanding: createUnderstanding({ cwd: '/app' }),
      protection: createProtection(settings),
    }).request(messages).changes
  const messages = told(turns)
  const first = project(messages)
  return { first, again: project(applyChanges(messages, first)) }
}

const geminiShell = (command: string, output: string, exitCode: number): Step =>
  step(
    'run_shell_command',
    { command },
    `Command: ${command}\nDirectory: (root)\nStdout: ${output}\nStderr: (empty)\nError: (none)\nExit Code: ${exitCode}\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: (none)`,
  )

const longError = Array.from({ length: 12 }, (_, n) => `something went wrong ${n}`).join('\n')
const log = (failures: number): string =>
  Array.from({ length: 900 }, (_, n) => `step ${n} of 900 took ${n * 7} ms`)
    .concat(Array.from({ length: failures }, (_, n) => `FAILED test_${n}`))
    .join('\n')

interface Case {
  readonly hazard: string
  /** What the first projection leaves. */
  readonly mark: RegExp
  readonly turns: readonly Turn[]
  readonly config?: ConfigFile
}

const cases: readonly Case[] = [
  {
    hazard: 'a read that showed that somebody had changed a file whose text is left out',
    mark: /\[input left out · context_restore [0-9a-f]+\]$/,
    turns: [
      bash(`cat > a.ts <<'EOF'\n${text(0, 9).join('\n')}\nEOF`, ''),
      write('b.ts', text(10, 11)),
      edit('b.ts', text(10, 11), text(20, 22)),
      read('b.ts', 1, text(20, 21)),
      said('And now?'),
      ...wait(1),
      read('a.ts', 1, text(30, 42)),
    ],
  },
  {
    hazard: 'a failed command of which the exit code is left out',
    mark: /lines left out/,
    turns: [
      step('read_file', { absolute_path: '/app/a.ts', offset: 0, limit: 2 }, text(0, 2).join('\n')),
      failed(geminiShell("echo 'end' >> a.ts", `${longError}\n`, 1)),
      step(
        'replace',
        { file_path: '/app/a.ts', instruction: 'Go.', old_string: text(0, 1)[0], new_string: '' },
        'The file has been updated successfully.',
      ),
      ...wait(4),
    ],
  },
  {
    hazard: 'a placeholder that only says that something was replaced',
    mark: /^\[replaced · [0-9a-f]+\]$/,
    turns: [
      read('b.ts', 2, text(11, 12)),
      edit('b.ts', text(12, 14), []),
      bash('head -n 1 b.ts', `${text(10, 11)[0]}\n`),
      ...wait(8),
      bash('rm -f b.ts', ''),
      ...wait(2),
    ],
    config: { preset: 'verbose' },
  },
  {
    hazard: 'a pointer to a page that was also fetched under another address',
    mark: /^\[same output as in `/,
    turns: [
      fetched('https://a.example/guide'),
      [fetched('https://a.example/guide'), fetched('https://a.example/guide#top')],
      ...wait(4),
    ],
  },
  {
    hazard: 'a pointer beside a command of the same turn that said something else',
    mark: /^\[same output as in `/,
    turns: [
      bash('curl -s localhost/health', 'up since a long time '.repeat(9)),
      [
        bash('curl -s localhost/health', 'up since a long time '.repeat(9)),
        bash('curl -s localhost/health', 'down for good '.repeat(9)),
      ],
      ...wait(4),
    ],
  },
  {
    hazard: 'edits of a file that speaks of handles',
    mark: /\[input left out · context_restore [0-9a-f]+\]$/,
    turns: [
      edit('a.ts', text(0, 1), [...text(10, 18), 'see context_restore a1b2c3']),
      edit('a.ts', text(10, 11), text(20, 28)),
      read('a.ts', 1, [...text(20, 28), ...text(11, 18), 'see context_restore a1b2c3']),
      edit('a.ts', text(20, 21), text(30, 38)),
      edit('a.ts', text(30, 36), text(40, 48)),
      edit('a.ts', text(40, 46), text(50, 58)),
      write('b.ts', text(60, 64)),
      write('a.ts', [...text(70, 74), 'see context_restore a1b2c3']),
    ],
    config: { preset: 'compact' },
  },
  {
    hazard: 'a file that git brought back after a view of it was shown',
    mark: /^\[same output as in `/,
    turns: [
      read('a.ts', 1, text(0, 12)),
      edit('a.ts', text(3, 5), text(20, 24)),
      ...wait(4),
      bash('npm test', 'all is well here. '.repeat(20)),
      bash('npm test', 'all is well here. '.repeat(20)),
      bash('git checkout a.ts', ''),
      ...wait(4),
    ],
  },
  {
    hazard: 'an error whose output was cut when it came',
    mark: /left out · .*context_restore/,
    turns: [failed(bash('pytest', `Exit code 1\n${log(6)}`)), ...wait(6)],
  },
  {
    hazard: 'a large output that is cut to less than its ends',
    mark: /\.\.\. \[truncated: .*context_restore/,
    turns: [
      bash('npm test', log(0).slice(0, 3500)),
      said('Please go on. '.repeat(300)),
      ...wait(6),
    ],
    config: { preset: 'history', contextLimit: 2000 },
  },
  {
    hazard: 'the last of several reads of a turn, which became a pointer later',
    mark: /^\[Re-read of /,
    turns: [
      bash("sed -n '1,3p' a.ts", `${text(0, 3).join('\n')}\n`),
      bash('cat a.ts', `${text(0, 12).join('\n')}\n`),
      bash("sed -n '4,8p' a.ts", `${text(3, 8).join('\n')}\n`),
      [
        bash("sed -n '1,8p' a.ts", `${text(0, 8).join('\n')}\n`),
        bash("sed -n '1,4p' a.ts", `${text(0, 4).join('\n')}\n`),
      ],
      bash('head -n 4 a.ts', `${text(0, 4).join('\n')}\n`),
    ],
    config: { preset: 'history' },
  },
  {
    hazard: 'a file that the agent cut before we did',
    mark: /\.\.\. \[truncated: .*context_restore/,
    turns: [
      step(
        'bash',
        'cat a.ts',
        `<returncode>0</returncode>\n<warning>\nThe output of your last command was too long.\nPlease try a different command that produces less output.\n</warning><output_head>\n${text(0, 150).join('\n')}\n</output_head>\n<elided_chars>\n9000 characters elided\n</elided_chars>\n<output_tail>\n${text(600, 750).join('\n')}\n</output_tail>`,
      ),
      printed("sed -n '400,420p' a.ts", text(399, 420)),
      printed("sed -n '500,520p' a.ts", text(499, 520)),
      ...wait(3),
    ],
    config: { preset: 'history' },
  },
]

describe('a projected session is left as it is when it is projected again', () => {
  const named = cases.map((each) => [each.hazard, each] as const)

  it.each(named)('with %s', (_, { mark, turns, config = {} }) => {
    const { first, again } = twice(turns, config, { tool: 'context_restore' })
    expect(first.some(({ text }) => text !== null && mark.test(text))).toBe(true)
    expect(again).toEqual([])
  })

  it.each(named)('whatever brings originals back, with %s', (_, { turns, config = {} }) => {
    for (const tool of [null, "'/home/a b/restore'"]) {
      const { first, again } = twice(turns, config, tool === null ? undefined : { tool })
      expect(first).not.toEqual([])
      expect(again).toEqual([])
    }
  })
})
