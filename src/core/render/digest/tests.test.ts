import { describe, expect, it } from 'vitest'
import { digestOf, lines, shellSource } from '../../../../test/core/sample-source.ts'

interface Run {
  readonly runner: string
  readonly command: string
  readonly text: string
  /** What an agent must find in the digest. */
  readonly kept: readonly string[]
}

const runs: readonly Run[] = [
  {
    runner: 'jest',
    command: 'npx jest',
    text: `${lines(60, (n) => `PASS src/part${n}.test.ts`)}
FAIL src/cart.test.ts
  ● Cart › adds a line twice

    expect(received).toBe(expected)

    Expected: 2
    Received: 1

      at Object.<anonymous> (src/cart.test.ts:14:22)

Test Suites: 1 failed, 60 passed, 61 total
Tests:       1 failed, 411 passed, 412 total`,
    kept: [
      '● Cart › adds a line twice',
      'Received: 1',
      'src/cart.test.ts:14:22',
      '1 failed, 411 passed',
    ],
  },
  {
    runner: 'vitest',
    command: 'npm run test:unit -- --run',
    text: `${lines(60, (n) => ` ✓ src/part-${n}.test.ts (4 tests) ${n}ms`)}
 FAIL  src/price.test.ts > rounds half up
AssertionError: expected 2.4 to be 2.5
 ❯ src/price.test.ts:31:18

 Test Files  1 failed | 60 passed (61)
      Tests  1 failed | 244 passed (245)`,
    kept: [
      'FAIL  src/price.test.ts > rounds half up',
      'expected 2.4 to be 2.5',
      'Tests  1 failed | 244 passed',
    ],
  },
  {
    runner: 'mocha',
    command: 'npx mocha',
    text: `  suite\n${lines(80, (n) => `    ✔ does thing number ${n} (12ms)`)}

  80 passing (2s)
  1 failing

  1) parser reads an empty list:
     AssertionError [ERR_ASSERTION]: 1 == 2
      at Context.<anonymous> (test/parser.js:9:12)`,
    kept: ['1 failing', '1) parser reads an empty list:', 'AssertionError [ERR_ASSERTION]: 1 == 2'],
  },
  {
    runner: 'pytest',
    command: 'python -m pytest -v',
    text: `============ test session starts ============
${lines(60, (n) => `tests/test_shop.py::test_part_${n} PASSED [ ${n}%]`)}
================= FAILURES =================
_____________ test_total_price _____________

    def test_total_price():
>       assert total([1, 2]) == 4
E       assert 3 == 4

tests/test_shop.py:17: AssertionError
========= short test summary info =========
FAILED tests/test_shop.py::test_total_price - assert 3 == 4
======= 1 failed, 60 passed in 0.41s =======`,
    kept: [
      'E       assert 3 == 4',
      'tests/test_shop.py:17',
      'FAILED tests/test_shop.py::test_total_price',
      '1 failed, 60 passed',
    ],
  },
  {
    runner: 'unittest',
    command: 'python3 -m unittest -v',
    text: `${lines(60, (n) => `test_part_${n} (shop.tests.Part) ... ok`)}
test_total (shop.tests.Total) ... FAIL
======================================
FAIL: test_total (shop.tests.Total)
--------------------------------------
Traceback (most recent call last):
  File "/shop/tests.py", line 21, in test_total
    self.assertEqual(3, 4)
AssertionError: 3 != 4

--------------------------------------
Ran 61 tests in 0.004s

FAILED (failures=1)`,
    kept: [
      'FAIL: test_total (shop.tests.Total)',
      'AssertionError: 3 != 4',
      'Ran 61 tests',
      'FAILED (failures=1)',
    ],
  },
  {
    runner: 'go test',
    command: 'go test -v ./...',
    text: `${lines(60, (n) => `=== RUN   TestPart${n}\n--- PASS: TestPart${n} (0.00s)`)}
=== RUN   TestTotal
    total_test.go:12: got 3, want 4
--- FAIL: TestTotal (0.00s)
FAIL
FAIL\texample.com/shop\t0.012s`,
    kept: ['total_test.go:12: got 3, want 4', '--- FAIL: TestTotal', 'FAIL\texample.com/shop'],
  },
  {
    runner: 'cargo test',
    command: 'cargo test',
    text: `running 61 tests
${lines(60, (n) => `test shop::part_${n} ... ok`)}
test shop::total ... FAILED

failures:

---- shop::total stdout ----
thread 'shop::total' panicked at src/shop.rs:40:5:
assertion \`left == right\` failed
  left: 3
 right: 4

test result: FAILED. 60 passed; 1 failed; 0 ignored`,
    kept: [
      'test shop::total ... FAILED',
      'panicked at src/shop.rs:40:5',
      'left: 3',
      'test result: FAILED',
    ],
  },
  {
    runner: 'JUnit under Maven',
    command: 'mvn -q test',
    text: `${lines(60, (n) => `[INFO] Tests run: ${n}, Failures: 0, Errors: 0, Skipped: 0 - in shop.Part${n}Test`)}
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 - in shop.TotalTest
[ERROR] TotalTest.addsUp:18 expected: <4> but was: <3>
[INFO] BUILD FAILURE`,
    kept: ['TotalTest.addsUp:18 expected: <4> but was: <3>', 'BUILD FAILURE'],
  },
  {
    runner: 'TAP',
    command: 'node --test',
    text: `TAP version 13
${lines(80, (n) => `ok ${n} - part number ${n}`)}
not ok 81 - adds up
  ---
  error: '3 == 4'
  ...
1..81
# tests 81
# pass 80
# fail 1`,
    kept: ['not ok 81 - adds up', '# pass 80', '# fail 1'],
  },
]

describe.each(runs)('a digest of a run of $runner', ({ command, text, kept }) => {
  it('keeps what failed, why, and the counts', () => {
    const found = digestOf(shellSource(command, text))
    expect(found.kind).toBe('tests')
    expect(kept.filter((line) => !found.text.includes(line))).toEqual([])
  })

  it('drops most of what passed, and says how to get it back', () => {
    const found = digestOf(shellSource(command, text))
    expect(found.text.length).toBeLessThan(text.length / 2)
    expect(found.text).toContain('left out · context_restore a1b2c3]')
  })
})

describe('a digest of a run with many failures', () => {
  const text = `${lines(120, (n) => `FAILED tests/test_shop.py::test_part_${n} - AssertionError: ${n}`)}
${lines(400, (n) => `some noise of the run, line ${n}`)}
===== 120 failed in 3.2s =====`

  it('names every one of them', () => {
    const found = digestOf(shellSource('pytest', text))
    const failed = text.split('\n').filter((line) => line.startsWith('FAILED'))
    expect(failed.filter((line) => !found.text.includes(line))).toEqual([])
  })
})
