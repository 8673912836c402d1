import { presets } from '../../src/config/presets.ts'
import { call, failed, fetches, file, idle, onOff, type Row, run } from './settings-row.ts'
import { lines, type ToldTurn } from './told-session.ts'

const off = presets.off
const repeated: readonly ToldTurn[] = [
  [run('a', lines(1, 8))],
  [call('b', 'bash', { command: 'run a' })],
]
const deduplication = { ...off.deduplication, enabled: true }
const reads = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => [file(`r${n}`)])

/** Keys of what replaces what. */
export const supersedingRows: Readonly<Record<string, Row>> = {
  files: {
    session: [
      [file('a')],
      [file('b')],
      [call('c', 'write', { filePath: 'a.ts', content: 'x' })],
      [file('d')],
      [file('e')],
    ],
    shows: [
      ['none', []],
      [
        'one-view',
        ['a: superseded file', 'b: superseded file', 'c: superseded file', 'd: superseded file'],
      ],
      ['overwrite', ['a: superseded file', 'b: superseded file']],
      ['supersede-reads', ['a: superseded file', 'b: superseded file']],
      ['first-last', ['b: pointer file', 'd: pointer file']],
      ['current-view', ['a: superseded file', 'b: superseded file', 'e: pointer file']],
    ],
  },
  'deduplication.enabled': onOff({ session: repeated }, ['a: superseded hash']),
  'deduplication.mode': {
    with: { deduplication },
    session: repeated,
    shows: [
      ['supersede', ['a: superseded hash']],
      ['pointer', ['b: pointer hash']],
    ],
  },
  'deduplication.protectedTools': {
    with: { deduplication },
    session: repeated,
    shows: [
      [[], ['a: superseded hash']],
      [['bash'], []],
    ],
  },
  planSupersede: onOff(
    {
      session: [
        [call('a', 'ExitPlanMode', { plan: 'one' })],
        [call('b', 'ExitPlanMode', { plan: 'two' })],
        ...idle(2),
      ],
    },
    ['a: superseded todo'],
  ),
  todoSupersede: onOff(
    {
      session: [
        [call('a', 'todowrite', { todos: [{ id: '1', content: 'one', status: 'pending' }] })],
        [call('b', 'todowrite', { todos: [{ id: '1', content: 'one', status: 'completed' }] })],
      ],
    },
    ['a: superseded todo'],
  ),
  contextSupersede: onOff(
    { session: [[call('a', 'context_info', {})], [call('b', 'context_info', {})]] },
    ['a: superseded context'],
  ),
  searchSupersede: onOff(
    {
      session: [
        [call('a', 'grep', { pattern: 'x', path: 'src' })],
        [call('b', 'grep', { path: 'src', pattern: 'x' }, lines(2, 9))],
      ],
    },
    ['a: superseded search'],
  ),
  pruneSourceUrls: onOff({ session: fetches }, ['a: superseded url']),
  stateQuerySupersede: onOff(
    {
      session: [
        [call('a', 'bash', { command: 'git status' })],
        [call('b', 'bash', { command: 'git  status' }, lines(2, 9))],
      ],
    },
    ['a: superseded query'],
  ),
  pruneSnapshots: onOff(
    {
      session: [
        [call('a', 'snapshot', { path: 'a.ts' })],
        [call('b', 'snapshot', { path: 'a.ts', note: 2 })],
      ],
    },
    ['a: superseded snapshot'],
  ),
  pruneRetryParts: onOff(
    {
      session: [[failed(run('a', lines(1, 8)))], [call('b', 'bash', { command: 'run a' }, 'fine')]],
    },
    ['a: superseded retry'],
  ),
  pruneToolInputs: {
    with: { files: 'one-view' },
    session: [[call('a', 'write', { filePath: 'a.ts', content: lines(1, 9) })], [file('b')]],
    shows: [
      [true, ['a: stripped input', 'a: superseded file']],
      [false, ['a: superseded file']],
    ],
  },
  supersedeWrites: onOff(
    {
      session: [
        [call('a', 'write', { filePath: 'a.ts', content: lines(1, 8) }, 'ok')],
        [file('b')],
      ],
    },
    ['a: stripped input'],
  ),
  'history.maxFileReads': {
    // Protected together, so that none of them is a pointer before all of them are there.
    with: { files: 'first-last', turnProtection: 8 },
    session: [...reads(6), ...idle(10)],
    shows: [
      [5, ['r1: pointer file', 'r2: pointer file', 'r4: pointer file']],
      [2, ['r1: pointer file', 'r2: pointer file', 'r3: pointer file', 'r4: pointer file']],
    ],
  },
}
