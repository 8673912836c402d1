import { expect, it } from 'vitest'
import { addRestores, restoreLines } from './restore-lines.ts'

const tally = (shown: number, restored: number) =>
  ({ how: 'truncated', strategy: 'admission', shown, restored }) as const

it('adds up the sessions, the most restored kind first, and leaves out what nobody restored', () => {
  const pointers = { how: 'pointer', strategy: 'deduplication', shown: 4, restored: 3 } as const
  const views = { how: 'view', strategy: 'files', shown: 9, restored: 0 } as const
  const sums = addRestores([tally(10, 1), views, pointers, tally(30, 1)])
  expect(restoreLines(sums)).toEqual([
    'Restored:',
    '  pointer (deduplication): 3 of 4, 75.0 %',
    '  truncated (admission): 2 of 40, 5.0 %',
  ])
})

it('says nothing when nothing was restored', () => {
  expect(restoreLines(addRestores([tally(10, 0)]))).toEqual([])
})
