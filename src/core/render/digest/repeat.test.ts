import { describe, expect, it } from 'vitest'
import { lines, sampleLimits, shellSource } from '../../../../test/core/sample-source.ts'
import { digestRepeat } from './repeat.ts'

const run = (failed: number, ms: number): string =>
  `start of the run\n${lines(50, (n) => `test part_${n} ... ok (${ms + n}ms)`)}\ntest total ... FAILED\nassertion failed: left 3, right ${failed}\n${failed} failed, 50 passed`

describe('the same command again', () => {
  it('shows what is new, and points to the result that shows the rest', () => {
    const again = digestRepeat(
      shellSource('cargo test', run(5, 20)),
      { text: run(4, 10), handle: 'ffee11' },
      sampleLimits,
    )
    expect(again).toEqual({
      kind: 'repeat',
      text: '[… 51 lines left out: as in ffee11 · context_restore a1b2c3]\ntest total ... FAILED\nassertion failed: left 3, right 5\n5 failed, 50 passed',
    })
  })

  it('stays as it is when it says something else', () => {
    const other = lines(60, (n) => `quite another line, number ${n}`)
    expect(
      digestRepeat(shellSource('x', run(1, 1)), { text: other, handle: 'ffee11' }, sampleLimits),
    ).toBeNull()
  })
})
