import { describe, expect, it } from 'vitest'
import type { Action } from '../core/words/action.ts'
import { actionOf, type ToolMapping } from './index.ts'

const act = (mapping: ToolMapping, input: unknown, tool = mapping.tool): Action =>
  actionOf(
    { tool, text: typeof input === 'string' ? input : JSON.stringify(input) },
    { mappings: [mapping] },
  )

describe('a mapping', () => {
  it('wins over a built-in tool of the same name', () => {
    const mapping: ToolMapping = { tool: 'bash', as: 'read', path: 'command' }
    expect(act(mapping, { command: 'a.ts' })).toEqual({ kind: 'read', path: 'a.ts', lines: null })
    expect(act({ tool: 'Read', as: 'other' }, { file_path: 'a' })).toEqual({ kind: 'other' })
  })

  it('wins over a key that an agent would use', () => {
    const mapping: ToolMapping = { tool: 'x', as: 'read', path: 'target' }
    expect(act(mapping, { path: 'wrong', filePath: 'wrong', target: 'right' })).toEqual({
      kind: 'read',
      path: 'right',
      lines: null,
    })
  })

  it('counts start from 1 and offset in lines left out', () => {
    const start: ToolMapping = { tool: 'x', as: 'read', path: 'f', start: 's', limit: 'n' }
    const expected = { kind: 'read', path: 'a', lines: { start: 5, end: 7 } }
    expect(act(start, { f: 'a', s: 5, n: 3 })).toEqual(expected)
    const offset: ToolMapping = { tool: 'x', as: 'read', path: 'f', offset: 's', limit: 'n' }
    expect(act(offset, { f: 'a', s: 4, n: 3 })).toEqual(expected)
  })

  it('reads every kind of action', () => {
    const cases: readonly (readonly [ToolMapping, unknown, unknown])[] = [
      [
        { tool: 'x', as: 'write', path: 'p', content: 'c' },
        { p: 'a', c: 't' },
        { kind: 'write', path: 'a', content: 't' },
      ],
      [
        { tool: 'x', as: 'edit', path: 'p', oldText: 'o', newText: 'n', all: 'g' },
        { p: 'a', o: 'b', n: 'c', g: true },
        {
          kind: 'edit',
          path: 'a',
          edits: [{ kind: 'replace', oldText: 'b', newText: 'c', all: true }],
        },
      ],
      [
        { tool: 'x', as: 'edit', path: 'p', edits: 'es', oldText: 'o', newText: 'n' },
        { p: 'a', es: [{ o: 'b', n: 'c' }] },
        {
          kind: 'edit',
          path: 'a',
          edits: [{ kind: 'replace', oldText: 'b', newText: 'c', all: false }],
        },
      ],
      [
        { tool: 'x', as: 'patch', patch: 'd' },
        { d: '*** Begin Patch\n*** Delete File: a\n*** End Patch' },
        { kind: 'patch', files: [{ op: 'delete', path: 'a' }] },
      ],
      [
        { tool: 'x', as: 'search', pattern: 'q', path: 'in', include: 'only' },
        { q: 'a', in: 'src', only: '*.ts' },
        { kind: 'search', pattern: 'a', path: 'src', include: '*.ts' },
      ],
      [
        { tool: 'x', as: 'glob', pattern: 'q', path: 'in' },
        { q: '*.ts', in: 'src' },
        { kind: 'glob', pattern: '*.ts', path: 'src' },
      ],
      [
        { tool: 'x', as: 'fetch', url: 'u' },
        { u: 'https://x.test' },
        { kind: 'fetch', url: 'https://x.test', query: null },
      ],
      [
        { tool: 'x', as: 'fetch', query: 'q' },
        { q: 'words' },
        { kind: 'fetch', url: null, query: 'words' },
      ],
      [
        { tool: 'x', as: 'list', tasks: 'ts' },
        { ts: ['a'] },
        {
          kind: 'list',
          op: 'write',
          tasks: [{ id: null, content: 'a', status: 'pending', priority: null }],
        },
      ],
      [
        { tool: 'x', as: 'task', prompt: 'p', description: 'd' },
        { p: 'do', d: 'it' },
        { kind: 'task', description: 'it', prompt: 'do' },
      ],
    ]
    for (const [mapping, input, expected] of cases) expect(act(mapping, input)).toEqual(expected)
    const shell: ToolMapping = { tool: 'x', as: 'shell', command: 'run', workdir: 'in' }
    expect(act(shell, { run: 'make', in: '/p' })).toMatchObject({
      kind: 'shell',
      command: 'make',
      workdir: '/p',
    })
    expect(act({ tool: 'x', as: 'shell' }, 'make all')).toMatchObject({ command: 'make all' })
  })

  it('names tools with stars, and means nothing else by special characters', () => {
    const input = { path: 'a' }
    expect(act({ tool: 'x.*_read', as: 'read' }, input, 'X.my_read').kind).toBe('read')
    expect(act({ tool: 'x.*_read', as: 'read' }, input, 'xx_thing').kind).toBe('other')
  })

  it('makes a call other when its input does not fit', () => {
    expect(act({ tool: 'x', as: 'read', path: 'p' }, { p: 7 })).toEqual({ kind: 'other' })
    expect(act({ tool: 'x', as: 'read', path: 'p' }, 'no JSON')).toEqual({ kind: 'other' })
  })
})
