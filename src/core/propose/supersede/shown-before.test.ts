import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../../actions/understand.ts'
import { resolveSettings } from '../../../config/resolve.ts'
import { createEngine, type EngineRequest } from '../../engine.ts'
import type { MessageDraft } from '../../words/item.ts'

const lines = Array.from({ length: 30 }, (_, n) => `const entry${n} = compute('entry', ${n})`)
const numbered = (shown: readonly string[]): string =>
  shown.map((line, n) => `${n + 1}\t${line}`).join('\n')

type Step = readonly [tool: string, input: object, output: string]
const read = (output: string): Step => ['Read', { file_path: '/app/a.ts' }, output]
const idle: readonly Step[] = Array.from({ length: 6 }, (_, n) => [
  'Bash',
  { command: `echo ${n}` },
  `${n}`,
])

function request(steps: readonly Step[]): EngineRequest {
  const messages = steps.flatMap(([tool, input, text], n): MessageDraft[] => [
    {
      role: 'assistant',
      items: [{ kind: 'call', tool, call: `c${n}`, text: JSON.stringify(input) }],
    },
    { role: 'tool', items: [{ kind: 'result', tool, call: `c${n}`, status: 'ok', text }] },
  ])
  return createEngine({
    restore: { tool: 'context_restore' },
    settings: resolveSettings({ preset: 'balanced', schedule: 'eager' }),
    understanding: () => createUnderstanding({ cwd: '/app' }),
  }).request([{ role: 'user', items: [{ kind: 'text', text: 'go' }] }, ...messages])
}

const placeholder = '[read b.ts lines 1–9 · replaced by a later edit · context_restore a1b2c3]'

describe('a history that comes back as it was shown', () => {
  const after = ['const none = true', ...lines.slice(20)]

  it.each([
    ['a call without its text', { omitted: 'context_restore a1b2c3' }],
    [
      'an edit without the text that it replaced',
      { old_string: '[20 lines replaced · context_restore a1b2c3]', new_string: after[0] },
    ],
    ['a call that names the command', { omitted: 'palimpsest restore a1b2c3' }],
  ])('is left as it is where %s says where that is', (_, input) => {
    const { changes } = request([
      read(numbered(lines)),
      ['Edit', { file_path: '/app/a.ts', ...input }, 'The file has been updated successfully.'],
      ['Bash', { command: 'cat a.ts' }, after.join('\n')],
      ...idle,
    ])
    expect(changes).toEqual([])
  })

  it.each([
    [
      'wholly',
      '[same file lines as in `read /app/a.ts` above, result e3f1a2 · context_restore a1b2c3]',
    ],
    [
      'for some lines',
      '[… file lines 1–30 as in `read /app/a.ts` above, result e3f1a2 · context_restore a1b2c3]',
    ],
  ])('keeps the read to which a later one points %s', (_, pointing) => {
    const { changes } = request([
      read(numbered(lines)),
      ...idle,
      read(pointing),
      ['Bash', { command: 'rm a.ts' }, ''],
      ...idle,
    ])
    expect(changes.filter(({ decision }) => decision.strategy === 'files')).toEqual([])
  })

  it.each([
    [
      'a file speaks of handles',
      read(numbered(['see context_restore a1b2c3 at turn 3', ...lines])),
    ],
    ['a file shows a placeholder', ['Bash', { command: 'cat b.md' }, `# How\n${placeholder}\nso.`]],
    ['a tool answers with numbers', ['list_ids', { of: 'tasks' }, '[102345, 203456]']],
    ['a command asks for an original', ['Bash', { command: 'palimpsest restore a1b2c3' }, 'x\ny']],
    [
      'a file is written that shows a stripped call',
      [
        'Write',
        { file_path: '/app/b.md', content: '{"omitted":"context_restore a1b2c3"}\n' },
        'Wrote it.',
      ],
    ],
    [
      'the inventory lists what was left out',
      ['context_info', {}, `Left out:\n[… lines 1–30 · context_restore a1b2c3]\n`],
    ],
  ] as const)('is none when %s', (_, told) => {
    const { changes } = request([
      read(numbered(lines)),
      told,
      ...idle,
      ['Bash', { command: 'rm a.ts' }, ''],
      ...idle,
    ])
    expect(changes.map(({ decision }) => decision.strategy)).toContain('files')
  })

  it('goes on to be decided about in what says nothing of files', () => {
    const again: Step = ['Bash', { command: 'npm test' }, 'all is well. '.repeat(20)]
    const { changes } = request([
      read('[read /app/a.ts · replaced by a later edit · context_restore a1b2c3]'),
      again,
      again,
      ...idle,
    ])
    expect(changes.map(({ decision }) => decision.rendition.how)).toEqual(['pointer'])
  })
})
