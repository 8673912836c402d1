import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../../actions/understand.ts'
import type { ConfigFile } from '../../../config/config.ts'
import { createProtection } from '../../../config/protection.ts'
import { resolveSettings } from '../../../config/resolve.ts'
import { createEngine, type Engine } from '../../engine.ts'
import type { ItemDraft, MessageDraft } from '../../words/item.ts'

function engineWith(config: ConfigFile = {}): Engine {
  const settings = resolveSettings({
    preset: 'balanced',
    schedule: 'eager',
    turnProtection: 0,
    ...config,
  })
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/app' }),
    protection: createProtection(settings),
  })
}

let calls = 0
interface Step {
  readonly tool: string
  readonly input: object | string
  readonly output: string
}
const step = (tool: string, input: object | string, output = 'ok'): Step => ({
  tool,
  input,
  output,
})
const idle = (count = 4): readonly Step[] =>
  Array.from({ length: count }, () => step('Bash', { command: `echo ${++calls}` }, `${calls}`))

/** One turn each. */
function told(steps: readonly Step[]): MessageDraft[] {
  const first: MessageDraft = { role: 'user', items: [{ kind: 'text', text: 'go' }] }
  return [
    first,
    ...steps.flatMap(({ tool, input, output }, n): MessageDraft[] => {
      const text = typeof input === 'string' ? input : JSON.stringify(input)
      const call = `c${n}`
      return [
        { role: 'assistant', items: [{ kind: 'call', tool, call, text }] },
        { role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text: output }] },
      ]
    }),
  ]
}

/** Sends the requests one by one; gives all texts of the last page, as the model sees them. */
function page(engine: Engine, messages: readonly MessageDraft[]): string[] {
  let shown: string[] = []
  for (let length = 1; length <= messages.length; length++) {
    if (messages[length]?.role === 'tool') continue
    const part = messages.slice(0, length)
    const { changes } = engine.request(part)
    const texts = new Map(changes.map(({ message, item, text }) => [`${message}.${item}`, text]))
    shown = part.flatMap(({ items }, message) =>
      items.map((draft: ItemDraft, item) => texts.get(`${message}.${item}`) ?? draft.text),
    )
  }
  return shown
}

const source = (name: string, count = 40): string[] =>
  Array.from({ length: count }, (_, n) => `const ${name}${n} = compute('${name}', ${n})`)
const numbered = (lines: readonly string[], first = 1): string =>
  lines.map((line, n) => `${first + n}\t${line}`).join('\n')
const read = (path: string, lines: readonly string[], first = 1): Step =>
  step('Read', { file_path: `/app/${path}`, offset: first, limit: 500 }, numbered(lines, first))
const edit = (path: string, from: string, to: string): Step =>
  step('Edit', { file_path: `/app/${path}`, old_string: from, new_string: to })
const long = (name: string): string => `const ${name} = [${'1, '.repeat(60)}]`

describe('what is current stays in the page', () => {
  it('when the file gets another name: its lines are those of the new one', () => {
    const lines = source('a')
    const shown = page(
      engineWith(),
      told([read('a.ts', lines), step('Bash', { command: 'mv a.ts b.ts' }, ''), ...idle()]),
    )
    expect(shown.join('\n')).toContain(lines[20])
  })

  it('when one of two edits in a call could not be followed', () => {
    const lines = source('a')
    const unknown = long('elsewhere')
    const edits = [
      { old_string: lines[3], new_string: long('first') },
      { old_string: 'something in lines that nobody has read', new_string: unknown },
    ]
    const changed = lines.with(3, long('first'))
    const shown = page(
      engineWith(),
      told([
        read('a.ts', lines.slice(0, 20)),
        step('MultiEdit', { file_path: '/app/a.ts', edits }),
        read('a.ts', changed.slice(0, 20)),
        ...idle(),
      ]),
    )
    expect(shown.join('\n')).toContain(unknown)
  })

  it('when a patch is about two files and only one of them is known', () => {
    const lines = source('a')
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      `-${lines[3]}`,
      `+${long('inFirst')}`,
      '*** Update File: never-read.ts',
      '-a line that nobody has read',
      `+${long('inSecond')}`,
      '*** End Patch',
    ].join('\n')
    const changed = lines.with(3, long('inFirst'))
    const shown = page(
      engineWith(),
      told([
        read('a.ts', lines),
        step('apply_patch', { input: patch }, 'Done'),
        read('a.ts', changed),
        ...idle(),
      ]),
    )
    expect(shown.join('\n')).toContain(long('inSecond'))
  })

  it('when a command prints one file and writes another', () => {
    const lines = source('a')
    const body = source('b', 20)
    const command = `cat > b.ts <<'END'\n${body.join('\n')}\nEND\ncat a.ts`
    const shown = page(
      engineWith(),
      told([
        step('Bash', { command }, lines.join('\n')),
        edit('a.ts', lines[5] as string, long('changed')),
        read('a.ts', lines.with(5, long('changed'))),
        ...idle(),
      ]),
    )
    expect(shown.join('\n')).toContain(body[10])
  })

  it('when an edit is undone by the editor that made it', () => {
    const lines = source('a')
    const shown = page(
      engineWith(),
      told([
        step('str_replace_editor', { command: 'view', path: '/app/a.ts' }, numbered(lines)),
        step('str_replace_editor', {
          command: 'str_replace',
          path: '/app/a.ts',
          old_str: lines[9],
          new_str: long('tried'),
        }),
        ...idle(),
        step('str_replace_editor', { command: 'undo_edit', path: '/app/a.ts' }),
        ...idle(),
      ]),
    )
    const results = shown.filter((text) => text.includes(lines[20] as string))
    expect(results.join('\n')).toContain(lines[9])
    expect(results.join('\n')).not.toContain(long('tried'))
  })

  it('when an edit is undone that had left nothing of a read', () => {
    const lines = source('a')
    const editor = (input: object): Step =>
      step('str_replace_editor', { path: '/app/a.ts', ...input })
    const part = lines.slice(4, 14)
    const messages = told([
      step(
        'str_replace_editor',
        { command: 'view', path: '/app/a.ts', view_range: [5, 14] },
        part.map((line, index) => `${String(index + 5).padStart(6)}\t${line}`).join('\n'),
      ),
      editor({ command: 'str_replace', old_str: part.join('\n'), new_str: long('all new') }),
      ...idle(),
      editor({ command: 'undo_edit' }),
      ...idle(),
    ])
    expect(page(engineWith(), messages.slice(0, -10)).join('\n')).not.toContain(`\t${part[3]}`)
    expect(page(engineWith(), messages).join('\n')).toContain(`\t${part[3]}`)
  })

  it('when somebody takes a view back: the edits in it come back with it', () => {
    const lines = source('a')
    const engine = engineWith()
    const messages = told([
      read('a.ts', lines),
      edit('a.ts', lines.slice(9, 12).join('\n'), long('changed')),
      ...idle(),
    ])
    page(engine, messages)
    const view = engine.ledger
      .decided()
      .map((item) => engine.ledger.of(item))
      .find((decision) => decision?.rendition.how === 'view')
    expect(engine.undo(view?.handle ?? '')).toBe(true)
    expect(engine.request(messages).changes).toEqual([])
  })

  it.each(['git checkout a.ts', 'git stash', 'git restore -- a.ts'])(
    'when %s brings back what a view was written over',
    (command) => {
      const lines = source('a')
      const messages = told([
        read('a.ts', lines),
        edit('a.ts', lines.slice(9, 12).join('\n'), long('changed')),
        ...idle(),
        step('Bash', { command }, ''),
        ...idle(),
      ])
      expect(page(engineWith(), messages.slice(0, -10)).join('\n')).not.toContain(lines[9])
      expect(page(engineWith(), messages)).toContain(numbered(lines))
    },
  )

  it('when an edit is protected by its tool: the page never grows', () => {
    const lines = source('a')
    const messages = told([
      read('a.ts', lines),
      edit('a.ts', lines[9] as string, long('changed')),
      ...idle(),
    ])
    expect(page(engineWith({ protectedTools: ['Edit'] }), messages)).toEqual(
      messages.flatMap(({ items }) => items.map(({ text }) => text)),
    )
  })

  it('when inputs are to be kept', () => {
    const lines = source('a')
    const change = edit('a.ts', lines[9] as string, long('changed'))
    const messages = told([read('a.ts', lines), change, ...idle()])
    const shown = page(engineWith({ preset: 'verbose', turnProtection: 0 }), messages)
    expect(shown).toContain(JSON.stringify(change.input))
  })

  it('when a checker found something in the lines that an edit confirms', () => {
    const lines = source('a')
    const confirmed = `The file /app/a.ts has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${numbered(lines.slice(5, 14), 6)}`
    const trouble = '<file_diagnostics>\nERROR [3:1] Cannot find name\n</file_diagnostics>'
    const change = edit('a.ts', lines[9] as string, lines[9] as string)
    const messages = told([
      read('a.ts', lines),
      { ...change, output: `${confirmed}\n\n${trouble}` },
      read('a.ts', lines),
      ...idle(),
    ])
    expect(page(engineWith(), messages).join('\n')).toContain('Cannot find name')
  })
})

describe('a view', () => {
  it('shows no line after the last line break of what was written', () => {
    const lines = source('a', 20)
    const text = `${lines.join('\n')}\n`
    const shown = page(
      engineWith(),
      told([
        read('a.ts', lines.slice(0, 10)),
        step('Write', { file_path: '/app/a.ts', content: text }),
        ...idle(),
      ]),
    )
    const view = shown.find((each) => each.includes(' as of '))
    expect(view?.split('\n\n')[0]).toBe(numbered(lines))
  })
})

describe('a read that points back to lines under other numbers', () => {
  it('says both, so that who edits by number knows the numbers that hold', () => {
    const lines = source('a')
    const changed = lines.toSpliced(2, 0, 'const one = 1', 'const two = 2')
    const again = read('a.ts', changed.slice(20, 35), 21)
    const shown = page(
      engineWith(),
      told([
        read('a.ts', lines),
        edit('a.ts', lines[1] as string, `${lines[1]}\nconst one = 1\nconst two = 2`),
        again,
      ]),
    )
    expect(shown.at(-1)).toMatch(
      /^\[… file lines 21–35 as in `read .*` above, result \w+, there file lines 19–33 · context_restore \w+\]$/,
    )
  })
})

describe('results that come some turns after their calls', () => {
  it('are protected from when they came, and no view of them is kept for later', () => {
    const lines = source('a')
    const [user, ...steps] = told([
      read('a.ts', lines),
      edit('a.ts', lines.slice(9, 12).join('\n'), long('changed')),
      ...idle(6),
    ])
    const [readCall, readResult, editCall, editResult, ...rest] = steps
    const thinks: MessageDraft = { role: 'assistant', items: [{ kind: 'text', text: 'waiting' }] }
    const messages = [user, readCall, editCall, thinks, readResult, editResult, ...rest].filter(
      (message) => message !== undefined,
    )
    const engine = engineWith({ turnProtection: 2 })
    const sizes = messages.map((_, last) => {
      const { changes } = engine.request(messages.slice(0, last + 1))
      return changes.reduce((sum, { message, item, text }) => {
        const draft = messages[message]?.items[item]
        return sum + (text?.length ?? 0) - (draft?.text.length ?? 0)
      }, 0)
    })
    expect(Math.max(...sizes)).toBe(0)
    expect(Math.min(...sizes)).toBeLessThan(0)
  })
})
