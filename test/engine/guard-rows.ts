import { presets } from '../../src/config/presets.ts'
import { call, fetches, file, idle, onOff, type Row, run } from './settings-row.ts'
import { lines, type ToldTurn } from './told-session.ts'

const off = presets.off
const superseding = { pruneSourceUrls: true }
const large = { ...off.largeOutputs, enabled: true }
const outputs: readonly ToldTurn[] = [
  [run('a', lines(1, 60))],
  [run('b', lines(1, 60))],
  ...idle(1),
]

/** Keys of what may be touched, and when. */
export const guardRows: Readonly<Record<string, Row>> = {
  enabled: onOff({ with: superseding, session: fetches }, ['a: superseded url']),
  schedule: {
    with: superseding,
    session: fetches,
    shows: [
      ['eager', ['a: superseded url']],
      ['economic', []],
      ['on-demand', []],
    ],
  },
  protectedTools: {
    with: superseding,
    session: fetches,
    shows: [
      [[], ['a: superseded url']],
      [['WebFetch'], []],
    ],
  },
  protectedFilePatterns: {
    with: { files: 'one-view', searchSupersede: true },
    session: [
      [file('a'), call('b', 'grep', { pattern: 'x', path: 'src/a.ts' }, lines(1, 8))],
      [file('c'), call('d', 'grep', { pattern: 'x', path: 'src/a.ts' }, lines(2, 9))],
    ],
    shows: [
      [[], ['a: superseded file', 'b: superseded search']],
      [['**/a.ts'], []],
    ],
  },
  agentProtectedTools: {
    session: [[run('a', lines(1, 8))], ...idle(2)],
    discards: 'a',
    shows: [
      [[], ['a: discarded agent']],
      [['Bash'], []],
    ],
  },
  turnProtection: {
    with: superseding,
    session: fetches,
    shows: [
      [0, ['a: superseded url']],
      [9, []],
    ],
  },
  'manualMode.enabled': {
    with: { ...superseding, manualMode: { enabled: false, automaticStrategies: false } },
    session: fetches,
    shows: [
      [false, ['a: superseded url']],
      [true, []],
    ],
  },
  'manualMode.automaticStrategies': onOff(
    {
      with: { ...superseding, manualMode: { enabled: true, automaticStrategies: false } },
      session: fetches,
    },
    ['a: superseded url'],
  ),
  contextLimit: {
    with: { largeOutputs: large },
    session: outputs,
    shows: [
      [null, []],
      [1000, ['a: truncated output', 'b: truncated output']],
    ],
  },
}
