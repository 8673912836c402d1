import { describe, expect, it } from 'vitest'
import {
  digestOf,
  lines,
  sampleLimits,
  shell,
  shellSource,
  sourceOf,
} from '../../../../test/core/sample-source.ts'
import { grouped } from '../counts.ts'
import { digest } from './digest.ts'

describe('a digest of diagnostics', () => {
  it('keeps every place and message, and joins the places of one message', () => {
    const text = `> tsc --noEmit\n${lines(40, (n) => `src/shop.ts(${n},5): error TS2554: Expected 2 arguments, but got 1.`)}
src/pay.ts(3,1): error TS2304: Cannot find name 'charge'.\n${lines(30, (n) => `chatter of the build number ${n}`)}\nFound 41 errors.`
    const { kind, text: shown } = digestOf(shellSource('npx tsc --noEmit', text))
    expect(kind).toBe('diagnostics')
    expect(shown).toContain('src/shop.ts(1,5)(2,5)(3,5)')
    expect(shown).toContain("src/pay.ts(3,1): error TS2304: Cannot find name 'charge'.")
    expect(shown).toContain('Found 41 errors.')
  })
})

describe('a digest of what git tells', () => {
  it('keeps the changed lines of a diff before the lines around them', () => {
    const text = `diff --git a/src/shop.ts b/src/shop.ts\n--- a/src/shop.ts\n+++ b/src/shop.ts\n@@ -1,90 +1,90 @@\n${lines(60, (n) => `   unchanged line number ${n} of the file`)}\n-  const price = 1\n+  const price = 2`
    const { kind, text: shown } = digestOf(shellSource('git diff', text))
    expect(kind).toBe('diff')
    expect(shown).toContain('@@ -1,90 +1,90 @@')
    expect(shown).toContain('-  const price = 1\n+  const price = 2')
  })

  it('drops the changes of lock files', () => {
    const change = (file: string, text: string): string =>
      `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n${text}`
    const text = `${change(
      'package-lock.json',
      lines(90, (n) => `+    "integrity": "sha512-${n}",`),
    )}\n${change('src/a.ts', '-old()\n+fresh()')}`
    const { text: shown } = digestOf(shellSource('git diff', text))
    expect(shown).toContain('-old()\n+fresh()')
    expect(shown).not.toContain('sha512-40')
  })

  it('keeps the hashes and subjects of a log', () => {
    const text = lines(
      30,
      (n) =>
        `commit ${String(n).padStart(8, '0')}abcdef\nAuthor: Somebody <me@example.com>\nDate:   Mon Nov 16 2026\n\n    Subject ${n}\n`,
    )
    const { kind, text: shown } = digestOf(shellSource('git log', text))
    expect(kind).toBe('history')
    expect(shown).toContain('commit 00000001abcdef')
    expect(shown).toContain('commit 00000030abcdef')
  })

  it('drops who and when from a blame', () => {
    const text = lines(
      60,
      (n) => `1a2b3c4d (Somebody Else 2026-11-16 10:00:00 +0100 ${n}) code line ${n}`,
    )
    expect(digestOf(shellSource('git blame a.ts', text)).text).toContain('1a2b3c4d 1) code line 1')
  })
})

describe('a digest of a listing', () => {
  it('keeps whole paths, and those of the project before what is installed', () => {
    const text = `${lines(60, (n) => `./node_modules/some-package/lib/file-${n}.js`)}\n${lines(20, (n) => `./src/part-${n}.ts`)}`
    const { kind, text: shown } = digestOf(shellSource('find . -type f', text))
    expect(kind).toBe('listing')
    expect(shown).toContain('./src/part-11.ts')
    expect(shown).not.toContain('node_modules/some-package/lib/file-40.js')
    expect(shown).toMatch(/entries left out/)
  })

  it('reduces the long form to sizes and names', () => {
    const text = lines(
      30,
      (n) => `-rw-r--r--  1 somebody  staff  ${n}00 Nov 16 04:26 report-${n}.md`,
    )
    expect(digestOf(shellSource('ls -la', text)).text).toContain('100 report-1.md')
  })
})

describe('a digest of a log', () => {
  it('folds what repeats itself and keeps what is severe', () => {
    const text = `${lines(80, (n) => `2026-11-16T10:00:${String(n % 60).padStart(2, '0')}Z INFO still waiting`)}\n2026-11-16T10:02:00Z ERROR disk is full on /data\n${lines(30, (n) => `2026-11-16T10:03:${String(n).padStart(2, '0')}Z INFO bye`)}`
    const { kind, text: shown } = digestOf(shellSource('cat app.log', text))
    expect(kind).toBe('log')
    expect(shown).toContain('INFO still waiting [× 80]')
    expect(shown).toContain('ERROR disk is full on /data')
  })
})

describe('a digest of JSON', () => {
  it('shows the shape, the first entries and how many more there are', () => {
    const value = Array.from({ length: 90 }, (_, n) => ({
      id: n,
      name: `part-${n}`,
      tags: ['a', 'b'],
      note: 'some words about it',
    }))
    const { kind, text } = digestOf(sourceOf(JSON.stringify(value)))
    expect(kind).toBe('json')
    expect(text).toContain('"name": "part-0"')
    expect(text).toMatch(/… \d+ more/)
    expect(text).toContain('context_restore a1b2c3')
  })
})

describe('a digest of a page', () => {
  it('is its text without scripts, styles and tags', () => {
    const text = `<!doctype html><html><head><style>${'.a{color:red}'.repeat(100)}</style><script>${'var a=1;'.repeat(100)}</script></head><body><h1>Prices</h1><p>One cup costs two.</p><a href="https://example.com/more">More</a></body></html>`
    expect(
      digestOf(sourceOf(text, { kind: 'fetch', url: 'https://example.com', query: null })),
    ).toEqual({
      kind: 'html',
      text: `# Prices\nOne cup costs two. [More](https://example.com/more)\n[… ${grouped(text.length - 60)} characters left out · context_restore a1b2c3]`,
    })
  })
})

describe('a digest of a table', () => {
  it('keeps the head and both ends', () => {
    const text = `NUMBER\tTITLE\tSTATE\n${lines(90, (n) => `${n}\tticket_number_${n}\topen`)}`
    const { kind, text: shown } = digestOf(shellSource('list-tickets', text))
    expect(kind).toBe('table')
    expect(shown).toContain('NUMBER\tTITLE\tSTATE\n1\tticket_number_1\topen')
    expect(shown).toContain('90\tticket_number_90\topen')
  })
})

describe('a digest of a stack trace', () => {
  it('keeps what was thrown and the frames of the project', () => {
    const text = `TypeError: Cannot read properties of undefined\n    at charge (src/pay.ts:10:5)\n${lines(40, (n) => `    at run${n} (/shop/node_modules/runner/index.js:${n}:1)`)}`
    const { kind, text: shown } = digestOf(shellSource('node app.js', text))
    expect(kind).toBe('trace')
    expect(shown).toContain(
      'TypeError: Cannot read properties of undefined\n    at charge (src/pay.ts:10:5)',
    )
    expect(shown).not.toContain('node_modules/runner/index.js:20')
  })
})

describe('a digest of an installation', () => {
  it('keeps the outcome and counts the steps', () => {
    const text = `${lines(60, (n) => `Collecting package-${n}\n  Downloading package_${n}-1.0-py3-none-any.whl (12 kB)`)}\nSuccessfully installed package-1\nERROR: pip's resolver found a conflict`
    const { kind, text: shown } = digestOf(shellSource('pip install -e .', text))
    expect(kind).toBe('packages')
    expect(shown).toContain('Successfully installed package-1')
    expect(shown).toContain("ERROR: pip's resolver found a conflict")
    expect(shown.length).toBeLessThan(text.length / 4)
  })
})

describe('noise in any output', () => {
  it('is a progress bar of which only the last state is shown', () => {
    const bar = Array.from({ length: 100 }, (_, n) => `${n}% [====>     ]`).join('\r')
    expect(digestOf(shellSource('fetch-things', `start\n${bar}\r100% done\nend`)).text).toMatch(
      /^start\n100% done\nend\n\[… [\d,]+ characters left out · context_restore a1b2c3\]$/,
    )
  })

  it('is a minified line of which the ends are shown, with its length', () => {
    const { text } = digestOf(shellSource('show-bundle', `first\n${'a=1;'.repeat(2000)}\nlast`))
    expect(text).toMatch(/^first\n(?:a=1;)+…\[7,680 chars\]…(?:a=1;)+\nlast\n/)
  })
})

describe('a result that stays whole', () => {
  it('is file text, which the agent edits from', () => {
    const text = lines(60, (n) => `just a line of prose with the number ${n}`)
    const reads = [
      { path: 'notes.md', lines: { start: 1, end: 60 }, exact: false, numbered: false },
    ]
    const action = { ...shell("sed -n '1,60p' notes.md; echo"), reads }
    expect(digest(sourceOf(text, action), sampleLimits)).toBeNull()
  })

  it('is the task list, and what the agent has brought back', () => {
    const text = lines(90, (n) => `[ ] task number ${n}`)
    const list = sourceOf(text, { kind: 'list', op: 'read', tasks: [] })
    const restored = { ...sourceOf(text), tool: 'mcp__palimpsest__context_restore' }
    expect([digest(list, sampleLimits), digest(restored, sampleLimits)]).toEqual([null, null])
    expect(digest(sourceOf(text), sampleLimits)).not.toBeNull()
  })

  it('is one that still runs', () => {
    const source = {
      ...shellSource(
        'make',
        lines(900, (n) => `line ${n}`),
      ),
      status: 'running',
    } as const
    expect(digest(source, sampleLimits)).toBeNull()
  })
})

describe('a poll without output', () => {
  it('says only whether the command still runs', () => {
    const text =
      'Chunk ID: 12ab34\nWall time: 30.0001 seconds\nProcess running with session ID 77\nOriginal token count: 0\nOutput:\n'
    const source = sourceOf(text, { ...shell(''), continues: true })
    expect(digest(source, { ...sampleLimits, leastChars: 80 })).toEqual({
      kind: 'poll',
      text: 'Process running with session ID 77\n[… no output · context_restore a1b2c3]',
    })
  })
})
