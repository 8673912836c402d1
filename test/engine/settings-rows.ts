import { presets } from '../../src/config/presets.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/record/item.ts'
import type { Settings } from '../../src/core/settings.ts'
import { lines, messagesOf, type ToldCall, type ToldTurn } from './told-session.ts'

const call = (id: string, tool: string, input: object, output = lines(1, 8)): ToldCall => ({
  id,
  tool,
  input: { ...input },
  output,
})
const failed = (told: ToldCall): ToldCall => ({ ...told, status: 'error' })
const run = (id: string, output = 'ok'): ToldCall =>
  call(id, 'bash', { command: `run ${id}` }, output)
const idle = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => [run(`idle${n}`)])
const file = (id: string, path = 'a.ts', output = lines(1, 8)): ToldCall =>
  call(id, 'read', { filePath: path }, output)
const edit = (id: string, word: string): ToldCall =>
  call(
    id,
    'edit',
    { filePath: 'a.ts', oldString: `${word} ${'o'.repeat(200)}`, newString: word },
    'ok',
  )
const fetched = (id: string): ToldCall =>
  call(id, 'webfetch', { url: 'https://example.org' }, `${id} ${lines(1, 8)}`)
const user = (...items: readonly ItemDraft[]): MessageDraft => ({ role: 'user', items })
const says = (...items: readonly ItemDraft[]): MessageDraft => ({ role: 'assistant', items })
const marker = (kind: string): ItemDraft => ({
  kind: 'marker',
  marker: kind,
  text: '{"path":"a.ts"}',
})

export interface Row {
  /** What else must be on for the key to be seen. */
  readonly with?: Partial<Settings>
  readonly session: readonly ToldTurn[] | readonly MessageDraft[]
  /** Values of the key, each with what is shown differently under it: `call: how reason`. */
  readonly shows: readonly (readonly [value: unknown, changes: readonly string[]])[]
  /** What the agent asks to be discarded, by call. */
  readonly discards?: string
}

const onOff = (row: Omit<Row, 'shows'>, changes: readonly string[]): Row => ({
  ...row,
  shows: [
    [true, changes],
    [false, []],
  ],
})

const off = presets.off
const repeated: readonly ToldTurn[] = [
  [run('a', lines(1, 8))],
  [call('b', 'bash', { command: 'run a' })],
]
const deduplication = { ...off.deduplication, enabled: true }
const superseding = { pruneSourceUrls: true }
const fetches: readonly ToldTurn[] = [[fetched('a')], [fetched('b')], ...idle(2)]
const error: readonly ToldTurn[] = [[failed(run('a', lines(1, 30)))], ...idle(3)]
const large = { ...off.largeOutputs, enabled: true }
const reads = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => [file(`r${n}`)])
const edits: readonly ToldTurn[] = Array.from({ length: 4 }, (_, n) => [edit(`e${n}`, `word${n}`)])
const history = { ...off.history, recentResults: 2 }
const compressing = { ...history, compressEdits: true, keepAllEdits: false }
const marked = { largeOutputs: large, contextLimit: 1000 }
const outputs: readonly ToldTurn[] = [
  [run('a', lines(1, 60))],
  [run('b', lines(1, 60))],
  ...idle(1),
]
/** By the rules alone, so that no training changes what is expected. */
const forgetting: Partial<Settings> = {
  schedule: 'on-demand',
  retention: { enabled: true, risk: 1, coefficients: null },
}
const printed: readonly ToldTurn[] = [
  [call('a', 'bash', { command: 'cat src/a.ts' }, lines(1, 80))],
  ...idle(40),
  [call('p', 'context_prune', {}, 'done')],
]
const thinking: readonly MessageDraft[] = [
  user({ kind: 'text', text: 'go' }),
  says(
    { kind: 'reasoning', binding: 'plain', text: 'a long thought' },
    { kind: 'text', text: 'x' },
  ),
  ...messagesOf(idle(3)).slice(1),
]

export const rows: Readonly<Record<string, Row>> = {
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
  pruneStepMarkers: onOff(
    {
      session: [
        user({ kind: 'text', text: 'go' }),
        says(marker('step-start'), { kind: 'text', text: 'done' }),
        user({ kind: 'text', text: 'more' }),
        says({ kind: 'text', text: 'done' }),
      ],
    },
    ['marker: discarded marker'],
  ),
  pruneFiles: onOff(
    {
      session: [
        user({
          kind: 'attachment',
          media: 'image/png',
          text: `image/png, 90000 bytes ${'x'.repeat(99)}`,
        }),
        ...messagesOf(idle(2)).slice(1),
      ],
    },
    ['attachment: masked attachment'],
  ),
  pruneUserCodeBlocks: onOff(
    {
      session: [
        user({ kind: 'text', text: `Look:\n\`\`\`\n${lines(1, 40)}\n\`\`\`` }),
        ...messagesOf(idle(2)).slice(1),
      ],
    },
    ['text: truncated code-block'],
  ),
  'truncateOldErrors.enabled': onOff({ session: error }, ['a: truncated error']),
  'truncateOldErrors.turns': {
    with: { truncateOldErrors: { enabled: true, turns: 3 } },
    session: error,
    shows: [
      [3, ['a: truncated error']],
      [9, []],
    ],
  },
  'purgeErrors.enabled': onOff(
    { with: { purgeErrors: { ...off.purgeErrors, turns: 3 } }, session: error },
    ['a: discarded error'],
  ),
  'purgeErrors.turns': {
    with: { purgeErrors: { ...off.purgeErrors, enabled: true } },
    session: error,
    shows: [
      [2, ['a: discarded error']],
      [9, []],
    ],
  },
  'purgeErrors.protectedTools': {
    with: { purgeErrors: { ...off.purgeErrors, enabled: true, turns: 2 } },
    session: error,
    shows: [
      [[], ['a: discarded error']],
      [['bash'], []],
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
  'largeOutputs.enabled': onOff({ session: [[run('a', lines(1, 400))]] }, ['a: truncated output']),
  'largeOutputs.bashTruncate': {
    with: { largeOutputs: large },
    session: [[run('a', lines(1, 100))]],
    shows: [
      [5000, ['a: truncated output']],
      [10_000, []],
    ],
  },
  'largeOutputs.allTools': onOff(
    {
      with: { largeOutputs: large },
      session: [[call('a', 'grep', { pattern: 'x' }, lines(1, 400))]],
    },
    ['a: truncated output'],
  ),
  'admission.enabled': onOff(
    {
      session: [[run('a', Array.from({ length: 400 }, (_, n) => `step ${n} is done`).join('\n'))]],
    },
    ['a: truncated output'],
  ),
  pruneReplacedText: onOff({ session: [[file('r')], [edit('a', 'word')], ...idle(2)] }, [
    'a: truncated input',
  ]),
  'retention.enabled': onOff({ with: forgetting, session: printed }, ['a: truncated output']),
  'retention.risk': {
    with: forgetting,
    session: printed,
    shows: [
      [1, ['a: truncated output']],
      [0, []],
    ],
  },
  'pruneThinking.enabled': onOff(
    { with: { pruneThinking: { enabled: false, turns: 1 } }, session: thinking },
    ['reasoning: distilled reasoning'],
  ),
  'pruneThinking.turns': {
    with: { pruneThinking: { enabled: true, turns: 1 } },
    session: thinking,
    shows: [
      [1, ['reasoning: distilled reasoning']],
      [9, []],
    ],
  },
  'history.maxFileReads': {
    // Protected together, so that none of them is a pointer before all of them are there.
    with: { files: 'first-last', turnProtection: 8 },
    session: [...reads(6), ...idle(10)],
    shows: [
      [5, ['r1: pointer file', 'r2: pointer file', 'r4: pointer file']],
      [2, ['r1: pointer file', 'r2: pointer file', 'r3: pointer file', 'r4: pointer file']],
    ],
  },
  'history.keepAllEdits': {
    with: { history: compressing },
    session: [...edits, ...idle(3)],
    shows: [
      [true, []],
      [false, ['e0: distilled edits', 'e1: stripped edits', 'e2: stripped edits']],
    ],
  },
  'history.recentResults': {
    with: { history: { ...history, recentOnly: true } },
    session: [[call('a', 'bash', { command: 'ls src' })], ...idle(3)],
    shows: [
      [2, ['a: superseded output']],
      [30, []],
    ],
  },
  'history.budgetShare': {
    with: marked,
    session: outputs,
    shows: [
      [0.9, ['a: truncated output', 'b: truncated output']],
      [8, []],
    ],
  },
  'history.compressEdits': onOff(
    { with: { history: compressing }, session: [...edits, ...idle(3)] },
    ['e0: distilled edits', 'e1: stripped edits', 'e2: stripped edits'],
  ),
  'history.recentOnly': onOff(
    { with: { history }, session: [[call('a', 'bash', { command: 'ls src' })], ...idle(3)] },
    ['a: superseded output'],
  ),
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

/** Keys that the engine does not read, and who does. */
export const readElsewhere: Readonly<Record<string, string>> = {
  preset: 'names the settings in reports; what it stands for is in all the other keys',
  editIntent: 'what the agent is offered: the definitions of its tools',
  'todoReminder.enabled': 'reminders at the tail of a request, no decision about an item',
  'todoReminder.initialTurns': 'reminders',
  'todoReminder.repeatTurns': 'reminders',
  'todoReminder.stuckTaskTurns': 'reminders',
  'todoReminder.maxContextTokens': 'reminders',
  'automataMode.enabled': 'reminders',
  'automataMode.initialTurns': 'reminders',
  pruneNotification: 'what a person is told, outside the conversation',
}
