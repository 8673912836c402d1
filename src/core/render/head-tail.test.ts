import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureLines } from './failure-lines.ts'
import { headAndTail } from './head-tail.ts'

const options = {
  limit: 10_000,
  keep: 2000,
  failureLines: true,
  recall: { handle: 'a1b2c3', restore: 'context_restore' },
}
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${String(index + 1).padStart(5, '0')}`).join(
    '\n',
  )

const splitsPairs = (text: string): boolean => /\p{Surrogate}/u.test(text)

describe('headAndTail', () => {
  it('leaves a text alone that is within the limit', () => {
    expect(headAndTail('x'.repeat(10_000), options)).toBe('x'.repeat(10_000))
  })

  it('keeps the first and the last 2,000 characters with the counts between them', () => {
    const text = `${'a'.repeat(6000)}${'b'.repeat(6000)}`
    expect(headAndTail(text, options)).toBe(
      `${'a'.repeat(2000)}\n\n... [truncated: 12,000 chars total, 1 line] ... [context_restore a1b2c3]\n\n${'b'.repeat(2000)}`,
    )
  })

  it('writes the seed’s marker to the letter', () => {
    const text = `${numbered(341)}\n${'x'.repeat(45_231 - numbered(341).length - 1)}`
    const { recall: _, ...without } = options
    expect(headAndTail(text, without).split('\n')).toContain(
      '... [truncated: 45,231 chars total, 342 lines] ...',
    )
  })

  it('cuts at the ends of lines', () => {
    const shown = headAndTail(numbered(2000), options)
    const lines = shown.split('\n').filter((line) => line.startsWith('line '))
    expect(lines.every((line) => /^line \d{5}$/.test(line))).toBe(true)
    expect(lines).toHaveLength(2 * 182)
    expect(shown.startsWith(numbered(2000).slice(0, 2000))).toBe(true)
    expect(shown.endsWith(numbered(2000).slice(-2000))).toBe(true)
  })

  it('keeps the lines of the middle that report failures', () => {
    const text = `${numbered(600)}\n FAIL  src/app.test.ts > adds\nAssertionError: expected 1 to be 2\n${numbered(600)}`
    const shown = headAndTail(text, options)
    expect(shown).toContain(
      '[context_restore a1b2c3]\nLines of it that report failures:\n FAIL  src/app.test.ts > adds\nAssertionError: expected 1 to be 2\n\nline ',
    )
    expect(headAndTail(text, { ...options, failureLines: false })).not.toContain('FAIL')
  })

  it('does not repeat failures that the ends show', () => {
    const text = `FAIL first\n${numbered(2000)}\nFAIL last`
    expect(headAndTail(text, options).match(/FAIL/g)).toHaveLength(2)
  })

  it('splits no surrogate pair, stays within the limit and changes nothing the second time', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('error: it failed\n', '😀'.repeat(40), '\n'.repeat(30), 'x'.repeat(200)),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join('')),
        fc.integer({ min: 300, max: 4000 }),
        fc.integer({ min: 0, max: 2000 }),
        (text, limit, keep) => {
          const own = {
            limit,
            keep,
            failureLines: true,
            recall: { handle: 'a1b2c3', restore: 'context_restore' },
          }
          const shown = headAndTail(text, own)
          expect(shown.length).toBeLessThanOrEqual(limit)
          expect(shown.length).toBeLessThanOrEqual(text.length)
          expect(splitsPairs(shown)).toBe(splitsPairs(text))
          expect(headAndTail(shown, own)).toBe(shown)
          if (text !== '') expect(shown).not.toBe('')
        },
      ),
    )
  })
})

describe('failureLines', () => {
  it.each([
    ['vitest', ' FAIL  src/a.test.ts > adds numbers'],
    ['vitest', '   × adds numbers 4ms'],
    ['vitest', ' ❯ src/a.test.ts:12:20'],
    ['vitest', '      Tests  1 failed | 5 passed (6)'],
    ['jest', '  ● math › adds numbers'],
    ['jest', '    ✕ adds numbers (3 ms)'],
    ['mocha', '  2 failing'],
    ['mocha', '  1) math adds numbers:'],
    ['node:test', 'not ok 3 - adds numbers'],
    ['node:test', '✖ adds numbers (1.2ms)'],
    ['pytest', 'FAILED tests/test_a.py::test_add - assert 1 == 2'],
    ['pytest', 'tests/test_a.py::test_add FAILED                 [ 50%]'],
    ['pytest', 'E       assert 1 == 2'],
    ['pytest', 'tests/test_a.py:12: AssertionError'],
    ['pytest', '===== 1 failed, 5 passed in 0.12s ====='],
    ['unittest', 'FAIL: test_add (tests.test_a.TestAdd)'],
    ['unittest', 'FAILED (failures=1)'],
    ['go test', '--- FAIL: TestAdd (0.00s)'],
    ['go test', 'FAIL\texample.org/add\t0.004s'],
    ['go', './add.go:12:3: undefined: total'],
    ['go', 'panic: runtime error: index out of range'],
    ['cargo', 'test tests::adds ... FAILED'],
    ['cargo', "thread 'tests::adds' panicked at src/lib.rs:12:9:"],
    ['cargo', 'test result: FAILED. 1 passed; 1 failed; 0 ignored'],
    ['rustc', 'error[E0308]: mismatched types'],
    ['rustc', '  --> src/main.rs:4:18'],
    ['maven', '[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0'],
    ['gradle', 'AddTest > adds numbers FAILED'],
    ['gradle', 'FAILURE: Build failed with an exception.'],
    ['rspec', 'rspec ./spec/add_spec.rb:12 # Add adds numbers'],
    ['rspec', '     Failure/Error: expect(add(1, 2)).to eq(4)'],
    ['rspec', '10 examples, 2 failures'],
    ['phpunit', '1) AddTest::testAdds'],
    ['phpunit', 'Failed asserting that 3 matches expected 4.'],
    ['tsc', "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'."],
    ['tsc', "src/a.ts:1:7 - error TS2322: Type 'string' is not assignable."],
    ['gcc', "main.c:12:5: error: 'x' undeclared"],
    ['clang', 'main.c:1:10: fatal error: missing.h: No such file or directory'],
    ['ld', "main.o: undefined reference to `add'"],
    ['make', 'make: *** [Makefile:3: all] Error 2'],
    ['javac', "Add.java:12: error: ';' expected"],
    ['eslint', "  12:5  error  'x' is not defined  no-undef"],
    ['eslint', '✖ 3 problems (2 errors, 1 warning)'],
    ['biome', 'src/a.ts:12:3 lint/suspicious/noExplicitAny ━━━━━━━━'],
    ['ruff', 'src/a.py:12:5: F401 `os` imported but unused'],
    ['flake8', 'src/a.py:12:80: E501 line too long (88 > 79 characters)'],
    ['mypy', 'src/a.py:12: error: Incompatible return value type  [return-value]'],
    ['mypy', 'Found 3 errors in 2 files (checked 10 source files)'],
    ['shellcheck', 'In run.sh line 3:'],
    ['shellcheck', '     ^-- SC2086 (info): Double quote to prevent globbing.'],
    ['python', 'Traceback (most recent call last):'],
    ['python', "KeyError: 'name'"],
    ['python', 'json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)'],
    ['node', "TypeError: Cannot read properties of undefined (reading 'name')"],
    ['java', 'Exception in thread "main" java.lang.NullPointerException'],
    ['java', 'Caused by: java.io.IOException: Broken pipe'],
    ['npm', 'npm ERR! code ELIFECYCLE'],
    ['npm', 'npm error code ENOENT'],
    ['git', 'fatal: not a git repository'],
    ['bash', 'bash: foo: command not found'],
  ])('keeps what %s says: %s', (_, line) => {
    expect(failureLines(`before\n${line}\nafter`)).toEqual([line])
  })

  it.each([
    ' ✓ src/error.test.ts > reports an error: it failed',
    'ok 3 - error: handled',
    'test error_is_reported ... ok',
    'tests/test_error.py::test_error_failed PASSED [ 50%]',
    'PASS src/error.test.ts',
    '--- PASS: TestError (0.00s)',
    'Tests: 0 failed, 12 passed',
    'Found 0 errors.',
    '0 errors, 0 warnings',
    'Compiling error-chain v0.12.4',
    'src/errors.ts',
    'drwxr-xr-x 2 user user 4096 errors',
    'const failed = items.filter(isFailed)',
    'the assertion holds',
    "src/results.test.ts:375:        error: 'Test assertion failed',",
    '      error: string',
  ])('leaves out what reports no failure: %s', (line) => {
    expect(failureLines(line)).toEqual([])
  })

  it('keeps what go’s tests say where one of them failed', () => {
    const line = '    add_test.go:12: got 3, want 4'
    expect(failureLines(`--- FAIL: TestAdd (0.00s)\n${line}`)).toEqual([
      '--- FAIL: TestAdd (0.00s)',
      line,
    ])
    expect(failureLines(`--- PASS: TestAdd (0.00s)\n${line}`)).toEqual([])
  })

  it('takes the colours off, and tells the same line once', () => {
    expect(failureLines('\u001b[31m✖ adds\u001b[39m\n✖ adds\r\n✖ adds')).toEqual(['✖ adds'])
  })

  it('keeps the first and the last of too many', () => {
    const text = Array.from({ length: 100 }, (_, index) => `error: ${index}`).join('\n')
    expect(failureLines(text, { lines: 5, characters: 1000, line: 100 })).toEqual([
      'error: 0',
      'error: 1',
      '(96 more)',
      'error: 98',
      'error: 99',
    ])
  })

  it('is done with a megabyte on one line, and with many lines that only look bad, at once', () => {
    const began = performance.now()
    failureLines(`error: ${'('.repeat(1_000_000)}`)
    failureLines(`${'1:1 '.repeat(300)}\n`.repeat(1000))
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
