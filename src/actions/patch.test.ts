import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FilePatch } from '../core/words/action.ts'
import { parsePatch } from './patch.ts'

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string }

const line = (signed: string): Line => ({
  sign: signed[0] as Line['sign'],
  text: signed.slice(1),
})

/** Both sides of an update, as far as its hunks tell. */
function sides(file: FilePatch | undefined): { before: string[]; after: string[] } | null {
  if (file?.op !== 'update') return null
  const lines = file.hunks.flatMap((hunk) => hunk.lines)
  return {
    before: lines.filter((each) => each.sign !== '+').map((each) => each.text),
    after: lines.filter((each) => each.sign !== '-').map((each) => each.text),
  }
}

/** A correct, if not a short, list of signed lines: common ends stay, the middle is replaced. */
function changes(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const signed = (sign: Line['sign'], texts: readonly string[]): readonly Line[] =>
    texts.map((text) => ({ sign, text }))
  return [
    ...signed(' ', before.slice(0, start)),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
    ...signed(' ', before.slice(before.length - end)),
  ]
}

const nastyText = fc.oneof(
  fc.string().map((text) => text.replaceAll(/[\n\r]/g, ' ')),
  fc.constantFrom('', '-- a/x', '++ b/x', '@@ -1,2 +1,2 @@', '*** End Patch', '--- a', '+++ b'),
  fc.constantFrom('*** Begin Patch', '*** Update File: x', 'diff --git a/x b/x', '-- ', '\\ No'),
)
const text = fc.array(nastyText, { maxLength: 12 })

describe('unified diffs', () => {
  it('give back any two texts that they were made from', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before.length + after.length > 0)
        const signed = changes(before, after).map(({ sign, text }) => `${sign}${text}`)
        const header = `@@ -1,${before.length} +1,${after.length} @@`
        const one = ['--- a/src/x y.ts', '+++ b/src/x y.ts', header, ...signed].join('\n')
        const diff = `${one}\n${one.replaceAll('src/x y.ts', 'second.ts')}\n`
        const files = parsePatch(`diff --git a/src/x y.ts b/src/x y.ts\n${diff}`)
        expect(files.map((file) => file.path)).toEqual(['src/x y.ts', 'second.ts'])
        expect(files.map(sides)).toEqual([
          { before, after },
          { before, after },
        ])
      }),
    )
  })

  it('say where a hunk starts and what it is in', () => {
    const diff = '--- old.c\t2020-01-01\n+++ new.c\n@@ -10,2 +10,2 @@ int main()\n a\n-b\n+c\n'
    expect(parsePatch(diff)).toEqual([
      {
        op: 'update',
        path: 'old.c',
        movedTo: 'new.c',
        hunks: [
          { heading: 'int main()', oldStart: 10, lines: [line(' a'), line('-b'), line('+c')] },
        ],
      },
    ])
  })

  it('add, delete and rename files', () => {
    const diff = [
      'diff --git a/n.txt b/n.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/n.txt',
      '@@ -0,0 +1,2 @@',
      '+one',
      '+two',
      '\\ No newline at end of file',
      'diff --git a/d.txt b/d.txt',
      'deleted file mode 100644',
      '--- a/d.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
      'diff --git a/old name b/new name',
      'similarity index 100%',
      'rename from old name',
      'rename to new name',
      'diff --git "a/\\303\\251.txt" "b/\\303\\251.txt"',
      '--- "a/\\303\\251.txt"',
      '+++ "b/\\303\\251.txt"',
      '@@ -1 +1 @@',
      '-a',
      '+b',
    ].join('\n')
    expect(parsePatch(diff)).toEqual([
      { op: 'add', path: 'n.txt', content: 'one\ntwo' },
      { op: 'delete', path: 'd.txt' },
      { op: 'update', path: 'old name', movedTo: 'new name', hunks: [] },
      {
        op: 'update',
        path: 'é.txt',
        movedTo: null,
        hunks: [{ heading: '', oldStart: 1, lines: [line('-a'), line('+b')] }],
      },
    ])
  })

  it('are read on when the counts in a header are too small', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n a\n-b\n+c\n'
    expect(parsePatch(diff)).toMatchObject([
      { hunks: [{ lines: [line(' a'), line('-b'), line('+c')] }] },
    ])
  })
})

describe('sectioned patches', () => {
  it('give back any two texts that they were made from', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before.length + after.length > 0)
        const signed = changes(before, after).map(({ sign, text }) => `${sign}${text}`)
        const patch = ['*** Begin Patch', '*** Update File: x', '@@', ...signed, '*** End Patch']
        expect(parsePatch(patch.join('\n')).map(sides)).toEqual([{ before, after }])
      }),
    )
  })

  it('give back any added file', () => {
    fc.assert(
      fc.property(text, (lines) => {
        const patch = ['*** Begin Patch', '*** Add File: x', ...lines.map((each) => `+${each}`)]
        const content = lines.map((each) => `${each}\n`).join('')
        expect(parsePatch([...patch, '*** End Patch'].join('\n'))).toEqual([
          { op: 'add', path: 'x', content },
        ])
      }),
    )
  })

  it('hold several files, moves, headings and the end of a file', () => {
    const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ class A
@@ run()
 x
-y
+z

@@
-last
+end
*** End of File
*** Delete File: c.ts
*** End Patch`
    expect(parsePatch(patch)).toEqual([
      {
        op: 'update',
        path: 'src/a.ts',
        movedTo: 'src/b.ts',
        hunks: [
          {
            heading: 'class A\nrun()',
            oldStart: null,
            lines: [line(' x'), line('-y'), line('+z'), line(' ')],
          },
          { heading: '', oldStart: null, lines: [line('-last'), line('+end')] },
        ],
      },
      { op: 'delete', path: 'c.ts' },
    ])
  })

  it('are found inside a here-document and without their end', () => {
    const expected = [{ op: 'add', path: 'a', content: 'x\n' }]
    const open = '*** Begin Patch\n*** Add File: a\n+x\n'
    expect(parsePatch(`apply_patch <<'EOF'\n${open}*** End Patch\nEOF\n`)).toEqual(expected)
    expect(parsePatch(open)).toEqual(expected)
    expect(parsePatch(`${open}*** End Patch\r\n`.replaceAll('\n', '\r\n'))).toEqual(expected)
  })
})

describe('parsePatch', () => {
  it('gives nothing for text that is no patch', () => {
    expect(parsePatch('ls -la\n--- not a header\n')).toEqual([])
  })

  it('never throws on a damaged patch', () => {
    const whole = `*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch
diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n-b\n c\n`
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.string(), (from, to, extra) => {
        expect(Array.isArray(parsePatch(whole.slice(0, from) + extra + whole.slice(to)))).toBe(true)
      }),
    )
  })
})
