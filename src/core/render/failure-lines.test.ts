import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureLines } from './failure-lines.ts'

const unlimited = { lines: 10_000, characters: 1_000_000, line: 1000 }

const reports = [
  'src/a.ts:3:7 - error TS2322: no',
  '  12:5  error  unexpected  semi',
  'not ok 4 - reads',
  '   --> src/main.rs:4:5',
  '  1) Parser::reads',
  'E   assert 1 == 2',
  '\u001b[31mFAILED\u001b[0m tests/test_a.py::test_b',
  'zsh: command not found: jq',
]
const others = ['', '   ', '\t', 'all is well', '3 passed', '0 errors', '✓ reads an error', '12']

describe('lines that report a failure', () => {
  it('are the same whatever stands before and behind them', () => {
    const lines = fc.array(fc.constantFrom(...reports, ...others), { maxLength: 12 })
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(lines, ends, (told, end) => {
        const alone = told.flatMap((line) => failureLines(line, unlimited))
        expect(failureLines(told.join(end), unlimited)).toEqual([...new Set(alone)])
      }),
    )
    for (const report of reports) expect(failureLines(report)).toHaveLength(1)
    for (const other of others) expect(failureLines(other)).toEqual([])
  })
})
