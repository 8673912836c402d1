import { describe, expect, it } from 'vitest'
import { createUnderstanding } from './understand.ts'

const call = (tool: string, input: unknown): { tool: string; text: string } => ({
  tool,
  text: typeof input === 'string' ? input : JSON.stringify(input),
})

describe('actions', () => {
  const { action } = createUnderstanding({ cwd: '/home/u/project' })

  it('have canonical paths, whatever tool names them', () => {
    expect(action(call('Read', { file_path: 'src/../a.ts' }))).toEqual({
      kind: 'read',
      path: '/home/u/project/a.ts',
      lines: null,
    })
    expect(action(call('write', { filePath: '~/b.ts', content: 'x' }))).toMatchObject({
      path: '/home/u/b.ts',
    })
    const patch =
      '*** Begin Patch\n*** Update File: a.ts\n*** Move to: ./b.ts\n@@\n-x\n+y\n*** Delete File: c.ts\n*** End Patch'
    expect(action(call('apply_patch', { input: patch }))).toMatchObject({
      files: [
        { path: '/home/u/project/a.ts', movedTo: '/home/u/project/b.ts' },
        { path: '/home/u/project/c.ts' },
      ],
    })
    expect(action(call('Grep', { pattern: 'x', path: 'src' }))).toMatchObject({
      path: '/home/u/project/src',
    })
  })

  it('of a shell start in the directory that the call names', () => {
    const shell = call('exec_command', { cmd: 'cat a.ts; mv b.ts /c.ts', workdir: 'sub' })
    expect(action(shell)).toMatchObject({
      reads: [{ path: '/home/u/project/sub/a.ts' }],
      changes: [{ kind: 'move', path: '/home/u/project/sub/b.ts', to: '/c.ts' }],
    })
  })

  it('use the mappings of the user', () => {
    const mappings = [{ tool: 'peek', as: 'read', path: 'what' }] as const
    const mapped = createUnderstanding({ cwd: null, mappings })
    expect(mapped.action(call('peek', { what: './a' }))).toMatchObject({ kind: 'read', path: 'a' })
  })
})

describe('the file that an agent has open', () => {
  it('is the one that its last result names', () => {
    const { action, reading } = createUnderstanding({ cwd: null })
    const open = action(call('open', 'open main.py'))
    const result =
      '[File: /repo/main.py (2 lines total)]\n1:a\n2:b\n(Open file: /repo/main.py)\n(Current directory: /repo)\nbash-$'
    expect(reading(open, { tool: 'open' }, result).lines).toEqual({
      first: 1,
      lines: ['a', 'b'],
      total: 2,
    })
    expect(action(call('edit', 'edit 1:1\nx\nend_of_edit'))).toMatchObject({
      kind: 'edit',
      path: '/repo/main.py',
    })
    expect(action(call('bash', { command: 'cat other.py' }))).toMatchObject({
      reads: [{ path: '/repo/other.py' }],
    })
  })

  it('is the one that was last asked for where only a placeholder is left of the result', () => {
    const { action, reading } = createUnderstanding({ cwd: null })
    const created = action(call('create', { filename: 'new.py' }))
    reading(
      created,
      { tool: 'create' },
      '[File: /repo/new.py (1 lines total)]\n1:\n(Open file: /repo/new.py)\n(Current directory: /repo)\nbash-$',
    )
    const opened = action(call('open', { path: 'main.py' }))
    reading(
      opened,
      { tool: 'open' },
      '[read /repo/main.py · replaced by edit at turn 8 · context_restore a1b2c3]',
    )
    const ran = action(call('bash', { command: 'cat other.py' }))
    reading(ran, { tool: 'bash' }, '[$ cat other.py · repeated at turn 9 · context_restore a1b2c4]')
    expect(action(call('edit', 'edit 1:1\nx\nend_of_edit'))).toMatchObject({
      kind: 'edit',
      path: '/repo/main.py',
    })
  })
})

describe('results', () => {
  const { action, reading } = createUnderstanding({ cwd: '/p' })
  const read = action(call('read', { filePath: 'a' }))
  const total = (text: string): number | undefined =>
    reading(read, { tool: 'read' }, text).lines?.total

  it.each([
    ['<file>\n00001| a\n00002| b\n\n(End of file - total 2 lines)\n</file>', 2],
    [
      "<file>\n00001| a\n\n(Showing lines 1-1 of 9. Use 'offset' to read beyond line 1)\n</file>",
      9,
    ],
    ['a\n\n... (7 more lines not shown. Use offset=2 to continue reading)', 8],
    ['a\nb', undefined],
  ])('tell how many lines a file has: %j', (text, expected) => {
    expect(total(text)).toBe(expected)
  })
})
