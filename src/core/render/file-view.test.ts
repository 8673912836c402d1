import { describe, expect, it } from 'vitest'
import { readResult } from '../../actions/index.ts'
import { renderFileView } from './file-view.ts'

const now = ['const a = 2', '', 'const c = 3']
const rendered = (tool: string, text: string, runs = [{ first: 1, lines: now }]): string | null =>
  renderFileView(
    { text, reading: readResult({ kind: 'read', path: 'src/a.ts', lines: null }, { tool }, text) },
    {
      path: 'src/a.ts',
      runs,
      newest: { name: 'edit', handle: '91c0d2' },
      recall: { handle: 'a1b2c3', restore: 'context_restore' },
    },
  )
const note = '\n\n[src/a.ts as of edit 91c0d2 · context_restore a1b2c3]'

describe('renderFileView', () => {
  it.each([
    [
      'an arrow',
      'Read',
      '     1→const a = 1\n     2→\n',
      '     1→const a = 2\n     2→\n     3→const c = 3',
    ],
    ['a tab', 'Read', '1\tconst a = 1\n2\t\n', '1\tconst a = 2\n2\t\n3\tconst c = 3'],
    ['no number', 'read', 'const a = 1\n', now.join('\n')],
    ['a letter', 'read_file', 'L1: const a = 1\nL2: b', 'L1: const a = 2\nL2: \nL3: const c = 3'],
  ])('writes lines as the agent does: with %s', (_, tool, text, body) => {
    expect(rendered(tool, text)).toBe(`${body}${note}`)
  })

  it('keeps the frame, without the counts that no longer hold', () => {
    const text = [
      '<path>src/a.ts</path>',
      '<type>file</type>',
      '<content>',
      '00001| const a = 1',
      '00002| b',
      '',
      '(End of file - total 2 lines)',
      '</content>',
    ].join('\n')
    expect(rendered('read', text)).toBe(
      `<path>src/a.ts</path>\n<type>file</type>\n<content>\n00001| const a = 2\n00002| \n00003| const c = 3${note}\n</content>`,
    )
  })

  it('finds the first line behind the tag of a frame', () => {
    const text =
      '<path>src/a.ts</path>\n<type>file</type>\n<content>1: const a = 1\n2: b\n</content>'
    expect(rendered('read', text)).toBe(
      `<path>src/a.ts</path>\n<type>file</type>\n<content>1: const a = 2\n2: \n3: const c = 3${note}\n</content>`,
    )
  })

  it('marks gaps between numbered lines, and shows none where nothing could mark them', () => {
    const runs = [
      { first: 2, lines: ['two'] },
      { first: 10, lines: ['ten'] },
    ]
    expect(rendered('Read', '1\ta\n2\tb', runs)).toBe(`2\ttwo\n[...]\n10\tten${note}`)
    expect(rendered('read', 'a\nb', runs)).toBeNull()
  })

  it('gives nothing for a result that shows no lines', () => {
    expect(rendered('Read', 'File does not exist.')).toBeNull()
  })
})
