import { presets } from '../../src/config/presets.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { call, fetches, file, idle, onOff, type Row, run, says, user } from './settings-row.ts'
import { lines, messagesOf, type ToldTurn } from './told-session.ts'

const off = presets.off
const superseding = { pruneSourceUrls: true }
const large = { ...off.largeOutputs, enabled: true }
const outputs: readonly ToldTurn[] = [
  [run('a', lines(1, 60))],
  [run('b', lines(1, 60))],
  ...idle(1),
]

/** The context fills up, and at the last request it is too much. */
const filling = { schedule: 'economic', contextLimit: 5_000 } as const
const thoughts = 3
const full: readonly MessageDraft[] = Array.from({ length: 22 }, (_, at) => [
  ...messagesOf([[run(`r${at}`, lines(1, 8))]]).slice(at === 0 ? 0 : 1),
  ...(at < thoughts
    ? [
        says({ kind: 'reasoning', text: lines(1, 6), binding: 'plain' }),
        user({ kind: 'text', text: 'Go on.' }),
      ]
    : []),
]).flat()
/** The first so many thoughts and results, in their order. */
const left = (reasoning: number, results: number): readonly string[] =>
  Array.from({ length: results }, (_, at) => [
    `r${at}: superseded pressure`,
    ...(at < reasoning ? ['reasoning: distilled pressure'] : []),
  ]).flat()

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
  'triggers.historicalTokens': {
    with: filling,
    session: full,
    shows: [
      [80_000, left(0, 8)],
      [300, left(0, 12)],
    ],
  },
  // The older reasoning makes room before results do.
  'triggers.aggressiveTokens': {
    with: filling,
    session: full,
    shows: [
      [100_000, left(0, 8)],
      [1_000, left(3, 6)],
    ],
  },
  'triggers.thinkingTokens': {
    with: filling,
    session: full,
    shows: [
      [20_000, left(0, 8)],
      [200, left(2, 7)],
    ],
  },
}
