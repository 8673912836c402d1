import { describe, expect, it } from 'vitest'
import { createUnderstanding } from '../../../actions/understand.ts'
import type { ConfigFile } from '../../../config/config.ts'
import { createProtection } from '../../../config/protection.ts'
import { resolveSettings } from '../../../config/resolve.ts'
import { createEngine } from '../../engine.ts'
import type { MessageDraft } from '../../words/item.ts'

/** A session in Claude Code's tools on files whose true text is kept here. */
function scripted(config: ConfigFile = {}) {
  const settings = resolveSettings({
    preset: 'balanced',
    schedule: 'eager',
    turnProtection: 0,
    ...config,
  })
  const engine = createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/app' }),
    protection: createProtection(settings),
  })
  const messages: MessageDraft[] = [{ role: 'user', items: [{ kind: 'text', text: 'go' }] }]
  const files = new Map<string, string[]>()
  let calls = 0

  function act(tool: string, input: object, text: string, status: 'ok' | 'error' = 'ok'): void {
    const call = `c${++calls}`
    messages.push(
      { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
      { role: 'tool', items: [{ kind: 'result', tool, call, status, text }] },
    )
    engine.request(messages)
  }

  return {
    file(path: string, lines: number, tail: (line: number) => string = () => '') {
      const line = (n: number): string => `const value${n} = compute('${path}', ${n})${tail(n)}`
      files.set(
        path,
        Array.from({ length: lines }, (_, n) => line(n)),
      )
    },
    read(path: string, range: { offset?: number; limit?: number } = {}) {
      const lines = files.get(path) ?? []
      const first = range.offset ?? 1
      const part = lines.slice(
        first - 1,
        range.limit === undefined ? undefined : first - 1 + range.limit,
      )
      const text = part.map((line, n) => `${first + n}\t${line}`).join('\n')
      act('Read', { file_path: `/app/${path}`, ...range }, text)
    },
    edit(path: string, line: number, replacement: string[], intent?: string) {
      const lines = files.get(path) ?? []
      const old = lines[line - 1] as string
      files.set(path, lines.toSpliced(line - 1, 1, ...replacement))
      const input = {
        file_path: `/app/${path}`,
        old_string: old,
        new_string: replacement.join('\n'),
        intent,
      }
      act('Edit', input, `The file /app/${path} has been updated.`)
    },
    /** Edits a part of a line. */
    replace(path: string, from: string, to: string) {
      const lines = files.get(path) ?? []
      files.set(
        path,
        lines.map((line) => line.replace(from, () => to)),
      )
      const input = { file_path: `/app/${path}`, old_string: from, new_string: to }
      act('Edit', input, `The file /app/${path} has been updated.`)
    },
    run(command: string, text = 'ok') {
      act('Bash', { command }, text)
    },
    idle(turns: number) {
      for (let n = 0; n < turns; n++) act('Bash', { command: `echo ${calls}` }, `${calls}`)
    },
    /** Every item of the last request as it is shown, by the number of its call. */
    page(): { calls: string[]; results: string[] } {
      const { changes } = engine.request(messages)
      const shown = (position: number): string => {
        const change = changes.find(({ message }) => message === position)
        return change?.text ?? (messages[position]?.items[0]?.text as string)
      }
      const positions = [...messages.keys()].slice(1)
      return {
        calls: positions.filter((n) => n % 2 === 1).map(shown),
        results: positions.filter((n) => n % 2 === 0).map(shown),
      }
    },
    text: (path: string): string[] => files.get(path) ?? [],
    ledger: () => engine.ledger,
    engine,
  }
}

const numbered = (lines: readonly string[], first = 1): string =>
  lines.map((line, n) => `${first + n}\t${line}`).join('\n')
const longLine = `const replacement = [${'"1", '.repeat(40)}]`

describe('a file that was read and then edited', () => {
  it('is shown as it is now in the place of the read, and the edit keeps its intent', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine], 'widen the table')
    session.idle(2)
    const { calls, results } = session.page()
    expect(results[0]).toContain(numbered(session.text('a.ts')))
    expect(results[0]).toMatch(
      /\[\/app\/a\.ts as of edit [0-9a-f]{6} · context_restore [0-9a-f]{6}\]/,
    )
    expect(calls[1]).toContain('widen the table')
    expect(calls[1]).not.toContain('const replacement')
    expect(calls[1]?.length).toBeLessThan(longLine.length)
  })

  it('moves with every further edit, and line numbers follow', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine, longLine, longLine])
    session.edit('a.ts', 30, [`${longLine} // again`])
    session.idle(2)
    expect(session.page().results[0]).toContain(numbered(session.text('a.ts')))
  })

  it('is left alone while the edit is of the turn that has just ended', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine])
    expect(session.ledger().decided()).toEqual([])
  })

  it('is left alone when a command of unknown effect came between', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine])
    session.run('git checkout other-branch')
    session.idle(3)
    expect(session.ledger().decided()).toEqual([])
  })

  it('is left alone where it is protected, and then its edits are too', () => {
    const session = scripted({ protectedFilePatterns: ['**/a.ts'] })
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine])
    session.idle(3)
    expect(session.ledger().decided()).toEqual([])
  })

  it('waits for the protected turns', () => {
    const session = scripted({ turnProtection: 4 })
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 10, [longLine])
    session.idle(3)
    expect(session.ledger().decided()).toEqual([])
    session.idle(2)
    expect(session.page().results[0]).toContain(longLine)
  })
})

describe('a file that is read again', () => {
  it('points to the lines that are unchanged and still in the page', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.read('a.ts', { offset: 10, limit: 20 })
    const { results } = session.page()
    expect(results[0]).toBe(numbered(session.text('a.ts')))
    expect(results[1]).toMatch(
      /^\[same file lines as in `read .*a\.ts.*` above, result [0-9a-f]{6} · context_restore [0-9a-f]{6}\]$/,
    )
  })

  it('does not point to lines that have changed since', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 12, [longLine])
    session.read('a.ts', { offset: 10, limit: 20 })
    const [shown = '', note] = session.page().results[2]?.split('\n[') ?? []
    expect(shown).toBe(numbered(session.text('a.ts').slice(9, 14), 10))
    expect(note).toMatch(/^… file lines 15–29 as in `read .*` above, result /)
  })

  it('replaces the older read once it shows all that is left of it', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts', { offset: 1, limit: 20 })
    session.edit('a.ts', 5, [longLine])
    session.read('a.ts')
    session.idle(2)
    const { calls, results } = session.page()
    expect(results[0]).toMatch(
      /^\[read .*replaced by a later read · context_restore [0-9a-f]{6}\]$/,
    )
    expect(calls[1]).not.toContain('const replacement')
    expect(results[2]).toContain(numbered(session.text('a.ts')))
  })

  it('keeps what only the older read shows: a partial read replaces no more than it covers', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.edit('a.ts', 38, [longLine])
    session.read('a.ts', { offset: 30, limit: 11 })
    session.idle(3)
    const page = session.page().results.join('\n')
    for (const line of session.text('a.ts')) expect(page).toContain(line)
  })
})

describe('a line that was changed in part', () => {
  const call = (n: number): string => `value${n} = compute('a.ts', ${n})`
  const page = (session: ReturnType<typeof scripted>): string => {
    const { calls, results } = session.page()
    return [...calls, ...results].join('\n')
  }

  for (const turnProtection of [0, 2, 4]) {
    it(`is readable to its end behind ${turnProtection} protected turns, whichever change goes first`, () => {
      const session = scripted({ turnProtection })
      session.file('a.ts', 30, (n) => ` // tail${n} of it`)
      session.read('a.ts')
      session.replace('a.ts', call(3), `value3 = recompute([${'3, '.repeat(40)}])`)
      session.replace('a.ts', call(7), 'value7 = recompute(7)')
      for (let turn = 0; turn < 9; turn++) {
        session.idle(1)
        for (let n = 0; n < 30; n++) expect(page(session)).toContain(`// tail${n} of it`)
      }
      expect(page(session)).toContain(' as of edit ')
    })
  }

  it('stays with the read of which nothing else is left', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts', { offset: 11, limit: 2 })
    session.replace('a.ts', 'const value10', 'let other10')
    session.replace('a.ts', 'const value11', 'let other11')
    session.idle(4)
    expect(page(session)).toContain("= compute('a.ts', 10)")
    expect(page(session)).toContain("= compute('a.ts', 11)")
  })

  it('stays with the edit that wrote it', () => {
    const session = scripted({ turnProtection: 2 })
    session.file('a.ts', 40)
    session.read('a.ts', { offset: 1, limit: 20 })
    session.edit('a.ts', 10, [longLine])
    session.read('a.ts', { offset: 30, limit: 11 })
    session.replace('a.ts', 'const replacement', 'let replacement')
    for (let turn = 0; turn < 6; turn++) {
      session.idle(1)
      expect(page(session)).toContain('const replacement')
    }
  })

  it('stays as it was read when a command changed the file in a way that nobody knows', () => {
    const session = scripted()
    session.file('a.ts', 40)
    session.read('a.ts')
    session.run("sed -i 's/value7 /other7 /' a.ts", '')
    session.edit('a.ts', 20, [longLine])
    session.idle(3)
    const { results } = session.page()
    expect(results[0]).not.toContain(' as of edit ')
    expect(results[0]).toContain("8\tconst value7 = compute('a.ts', 7)")
  })
})

it('never hides a line that the agent could see and the file still has, whatever it does', () => {
  const session = scripted()
  session.file('a.ts', 60)
  session.file('b.ts', 30)
  const visible = new Set<string>()
  const check = (): void => {
    const { calls, results } = session.page()
    const page = [...calls.map((call) => JSON.stringify(JSON.parse(call))), ...results].join('\n')
    const current = new Set([...session.text('a.ts'), ...session.text('b.ts')])
    for (const line of visible) {
      if (current.has(line))
        expect(page.includes(line) || page.includes(JSON.stringify(line).slice(1, -1))).toBe(true)
    }
  }
  for (let step = 0; step < 60; step++) {
    const path = step % 3 === 0 ? 'b.ts' : 'a.ts'
    const lines = session.text(path)
    const at = 1 + ((step * 7) % (lines.length - 1))
    if (step % 4 === 0) {
      const limit = 5 + ((step * 3) % 30)
      session.read(path, { offset: at, limit })
      for (const line of lines.slice(at - 1, at - 1 + limit)) visible.add(line)
    } else if (visible.has(lines[at - 1] as string)) {
      const fresh = `const changed${step} = rework(${step}) // ${'x'.repeat(step)}`
      session.edit(path, at, step % 5 === 0 ? [fresh, `${fresh} more`] : [fresh])
      visible.add(fresh)
      if (step % 5 === 0) visible.add(`${fresh} more`)
    } else session.idle(1)
    check()
  }
  expect(session.ledger().decided().length).toBeGreaterThan(5)
})
