import { describe, expect, it } from 'vitest'
import { treeDiffs } from './tree-diff.ts'

const diff = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1111111..2222222 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -3,4 +3,5 @@ function first() {',
  ' one',
  '-two',
  '+TWO',
  '+and a half',
  ' three',
  ' ',
  '@@ -20 +21 @@',
  '-last',
  '+LAST',
  '\\ No newline at end of file',
  'diff --git a/gone.ts b/gone.ts',
  'deleted file mode 100644',
  '--- a/gone.ts',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-x',
  '',
].join('\n')

const hunks = [
  { first: 3, lines: ['one', 'TWO', 'and a half', 'three', ''] },
  { first: 21, lines: ['LAST'] },
]
const whole = { truncated: false }

describe('what git diff shows of the working tree', () => {
  it.each([
    'git diff',
    'git diff -- src/a.ts gone.ts',
    'git diff HEAD~1',
    'git --no-pager diff -U1 main',
    'git status --short && git diff',
    'cd /app && git diff src/a.ts src/b.ts',
  ])('are the stretches on its newer side: %s', (command) => {
    const output = command.includes('status') ? ` M src/a.ts\n${diff}` : diff
    expect(treeDiffs(command, output, whole)).toEqual([
      { path: 'src/a.ts', stretches: hunks, complete: true },
    ])
  })

  it.each([
    'git diff --cached',
    'git diff --staged -- src/a.ts',
    'git diff main..dev',
    'git diff main dev',
    'git diff -R',
    'git diff --word-diff',
    'git show HEAD',
    'git diff; git show HEAD',
    'git diff && git diff --cached',
    'cat change.patch && git diff',
    'diff -u a b',
    'git difftool',
    'echo git diff',
  ])('are none where the newer side may be another: %s', (command) => {
    expect(treeDiffs(command, diff, whole)).toEqual([])
  })

  it('are not all where the output was cut or filtered', () => {
    for (const [command, options] of [
      ['git diff | head -50', whole],
      ['git diff', { truncated: true }],
    ] as const) {
      expect(treeDiffs(command, diff, options)[0]).toEqual({
        path: 'src/a.ts',
        stretches: hunks,
        complete: false,
      })
    }
    const cut = diff.replace(' three\n', '')
    expect(treeDiffs('git diff', cut, whole)).toEqual([
      { path: 'src/a.ts', stretches: hunks.slice(1), complete: false },
    ])
  })
})
