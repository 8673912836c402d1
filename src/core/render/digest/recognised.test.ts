import { describe, expect, it } from 'vitest'
import { lines, sampleLimits, shellSource } from '../../../../test/core/sample-source.ts'
import { digest, digestKindOf, usualDigest } from './digest.ts'
import type { DigestKind } from './source.ts'

interface Printed {
  readonly name: string
  readonly command: string
  readonly text: string
  readonly kind: DigestKind
  /** What a digest has to keep. */
  readonly keeps: readonly string[]
}

const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4'.repeat(60)

const printed: readonly Printed[] = [
  {
    name: 'gcc',
    command: 'make -j4',
    text: `${lines(60, (n) => `gcc -O2 -Wall -c src/part${n}.c -o build/part${n}.o`)}\nsrc/part61.c:42:7: error: 'widget' undeclared (first use in this function)\n   42 |   use(widget);\n      |       ^~~~~~\nmake: *** [Makefile:12: build/part61.o] Error 1`,
    kind: 'diagnostics',
    keeps: ["src/part61.c:42:7: error: 'widget' undeclared", 'make: *** [Makefile:12'],
  },
  {
    name: 'cargo build',
    command: 'cargo build',
    text: `${lines(60, (n) => `   Compiling crate-${n} v0.${n}.0`)}\nerror[E0425]: cannot find value \`total\` in this scope\n  --> src/main.rs:12:5\n   |\n12 |     total\n   |     ^^^^^ not found in this scope\n\nerror: could not compile \`shop\` (bin "shop") due to 1 previous error`,
    kind: 'diagnostics',
    keeps: ['error[E0425]: cannot find value `total`', 'src/main.rs:12:5', 'could not compile'],
  },
  {
    name: 'eslint',
    command: 'npx eslint src',
    text: `${lines(30, (n) => `/app/src/part${n}.ts\n  ${n}:3  warning  Unexpected console statement  no-console\n`)}\n/app/src/pay.ts\n  7:11  error  'charge' is not defined  no-undef\n\n✖ 31 problems (1 error, 30 warnings)`,
    kind: 'diagnostics',
    keeps: ["7:11  error  'charge' is not defined", '✖ 31 problems (1 error, 30 warnings)'],
  },
  {
    name: 'mypy',
    command: 'mypy shop',
    text: `${lines(40, (n) => `shop/part${n}.py:${n}: note: See https://mypy.readthedocs.io/part${n}`)}\nshop/pay.py:9: error: Incompatible return value type (got "str", expected "int")  [return-value]\nFound 1 error in 1 file (checked 40 source files)`,
    kind: 'diagnostics',
    keeps: ['shop/pay.py:9: error: Incompatible return value type', 'Found 1 error in 1 file'],
  },
  {
    name: 'pip',
    command: 'pip install -r requirements.txt',
    text: `${lines(50, (n) => `Collecting part${n}==1.${n}\n  Downloading part${n}-1.${n}-py3-none-any.whl (12 kB)`)}\nERROR: Could not find a version that satisfies the requirement nothere==9 (from versions: none)`,
    kind: 'packages',
    keeps: ['ERROR: Could not find a version that satisfies the requirement nothere==9'],
  },
  {
    name: 'git status',
    command: 'git status',
    text: `On branch feature/pay\nYour branch is up to date with 'origin/feature/pay'.\n\nChanges not staged for commit:\n${lines(40, (n) => `\tmodified:   src/part${n}/index.ts`)}\n\nUntracked files:\n${lines(20, (n) => `\tsrc/new${n}.ts`)}\n\nno changes added to commit`,
    kind: 'history',
    keeps: ['On branch feature/pay', 'src/part1/index.ts'],
  },
  {
    name: 'git show',
    command: 'git show HEAD',
    text: `commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b\nAuthor: Somebody <me@example.com>\nDate:   Mon Nov 16 10:00:00 2026 +0100\n\n    Charge once\n\ndiff --git a/src/pay.ts b/src/pay.ts\n--- a/src/pay.ts\n+++ b/src/pay.ts\n@@ -1,60 +1,60 @@\n${lines(60, (n) => `   unchanged line number ${n} of the file`)}\n-  charge()\n+  chargeOnce()`,
    kind: 'diff',
    keeps: ['commit 1a2b3c4d5e6f', 'Charge once', '-  charge()\n+  chargeOnce()'],
  },
  {
    name: 'ls -R',
    command: 'ls -R src',
    text: lines(12, (n) => `src/part${n}:\n${lines(12, (m) => `file${m}.ts`)}\n`),
    kind: 'listing',
    keeps: ['src/part1:'],
  },
  {
    name: 'find',
    command: 'find . -name "*.ts"',
    text: `${lines(120, (n) => `./node_modules/dep${n}/index.d.ts`)}\n${lines(10, (n) => `./src/part${n}.ts`)}`,
    kind: 'listing',
    keeps: ['./src/part1.ts', './src/part10.ts'],
  },
  {
    name: 'tree',
    command: 'tree src',
    text: `src\n${lines(90, (n) => `├── part${n}\n│   └── index${n}.ts`)}\n└── main.ts\n\n90 directories, 91 files`,
    kind: 'listing',
    keeps: ['90 directories, 91 files'],
  },
  {
    name: 'an HTTP answer',
    command: 'curl -si https://example.com/api/orders/7',
    text: `HTTP/2 500\ncontent-type: text/html\nserver: nginx\n\n<!doctype html><html><head><style>${'.a{color:red}'.repeat(200)}</style></head><body><h1>Internal Server Error</h1><p>order 7 has no customer</p></body></html>`,
    kind: 'html',
    keeps: ['HTTP/2 500', 'order 7 has no customer'],
  },
  {
    name: 'base64',
    command: 'base64 logo.png',
    text: `${base64}\n${base64}\ndone`,
    kind: 'plain',
    keeps: ['iVBORw0KGgo', 'done'],
  },
  {
    name: 'binary noise',
    command: 'strings -n 1 core',
    text: `${'\u0001\u0002\u0007\ufffd\ufffd'.repeat(900)}\nSegmentation fault at 0x7f3a\n${'\u0003\ufffd'.repeat(900)}`,
    kind: 'plain',
    keeps: ['Segmentation fault at 0x7f3a'],
  },
  {
    name: 'colours',
    command: './deploy.sh',
    text: `${lines(90, (n) => `\u001b[32mstep ${n}\u001b[0m is done, and nothing came of it`)}\n\u001b[31mError: no space left on device\u001b[0m\nexit status 28`,
    kind: 'plain',
    keeps: ['Error: no space left on device', 'exit status 28'],
  },
]

describe.each(printed)('what $name prints', ({ command, text, kind, keeps }) => {
  const source = shellSource(command, text)

  it('is known for what it is', () => {
    expect(digestKindOf(source)).toBe(kind)
  })

  it('keeps the outcome and what explains it, is shorter, and says how to get the rest', () => {
    for (const shown of [
      digest(source, sampleLimits)?.text ?? text,
      usualDigest(source, { recall: sampleLimits.recall })?.text ?? text,
    ]) {
      for (const kept of keeps) expect(shown).toContain(kept)
      if (shown === text) continue
      expect(shown.length).toBeLessThanOrEqual(text.length * 0.9)
      expect(shown).toContain('context_restore a1b2c3')
    }
  })
})

describe('nothing to show', () => {
  it.each(['', '\n', '(no output)', 'Exit code: 0\n'])('%j stays as it is', (text) => {
    expect(usualDigest(shellSource('true', text), { recall: sampleLimits.recall })).toBeNull()
  })
})
