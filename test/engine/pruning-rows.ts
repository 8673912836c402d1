import { presets } from '../../src/config/presets.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import {
  call,
  edit,
  failed,
  file,
  idle,
  marker,
  onOff,
  type Row,
  run,
  says,
  user,
} from './settings-row.ts'
import { lines, messagesOf, type ToldTurn } from './told-session.ts'

const off = presets.off
const error: readonly ToldTurn[] = [[failed(run('a', lines(1, 30)))], ...idle(3)]
const large = { ...off.largeOutputs, enabled: true }
const edits = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => [edit(`e${n}`, `one more and yet another word ${n}`)])
const history = { ...off.history, recentResults: 2 }
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
const written: ToldTurn = [
  call('w', 'write', { filePath: '/p/new.ts', content: lines(1, 80) }, 'ok'),
]
const onDemand: Partial<Settings> = { schedule: 'on-demand' }
const leftAlone: readonly ToldTurn[] = [
  written,
  ...idle(4),
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

const listing = `<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- deploy: ${lines(1, 9).replaceAll('\n', ' ')}\n</system-reminder>`
const skill = `Base directory for this skill: /skills/deploy\n\n${lines(1, 30)}`
const text = (words: string): MessageDraft => user({ kind: 'text', text: words })
const told = (words: string, again: string): readonly MessageDraft[] => [
  text(words),
  ...messagesOf(idle(3)).slice(1),
  text(again),
  ...messagesOf([
    [call('q', 'bash', { command: 'q' })],
    [call('p', 'context_prune', {}, 'done')],
  ]).slice(1),
]
const agedTexts = (
  key: 'skillListings' | 'skillTexts',
  words: string,
): Readonly<Record<string, Row>> => ({
  [`${key}.enabled`]: onOff(
    { with: { ...onDemand, [key]: { enabled: false, turns: 2 } }, session: told(words, 'On.') },
    ['text: truncated injected'],
  ),
  [`${key}.turns`]: {
    with: { ...onDemand, [key]: { enabled: true, turns: 2 } },
    session: told(words, 'On.'),
    shows: [
      [2, ['text: truncated injected']],
      [30, []],
    ],
  },
})
const screenshot = (id: string): readonly MessageDraft[] => [
  says({ kind: 'call', tool: 'screenshot', call: id, text: '{}' }),
  {
    role: 'tool',
    items: [
      { kind: 'result', tool: 'screenshot', call: id, status: 'ok', text: id },
      {
        kind: 'attachment',
        media: 'image/png',
        call: id,
        text: `image/png, 90000 bytes ${'x'.repeat(99)}`,
      },
    ],
  },
]

/** Keys of what is shown shorter, or left out, as it gets old or large. */
export const pruningRows: Readonly<Record<string, Row>> = {
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
      session: [[run('a', Array.from({ length: 600 }, (_, n) => `step ${n} is done`).join('\n'))]],
    },
    ['a: truncated output'],
  ),
  'admission.wholeChars': {
    with: { admission: { enabled: true, wholeChars: 8000 } },
    session: [[run('a', Array.from({ length: 400 }, (_, n) => `step ${n} is done`).join('\n'))]],
    shows: [
      [2000, ['a: truncated output']],
      [8000, []],
    ],
  },
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
  'oldInputs.enabled': onOff(
    { with: { ...onDemand, oldInputs: { enabled: false, turns: 2 } }, session: leftAlone },
    ['w: stripped input'],
  ),
  'oldInputs.turns': {
    with: { ...onDemand, oldInputs: { enabled: true, turns: 2 } },
    session: leftAlone,
    shows: [
      [2, ['w: stripped input']],
      [9, []],
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
  ...agedTexts('skillListings', listing),
  ...agedTexts('skillTexts', skill),
  reminderSupersede: onOff({ with: onDemand, session: told(listing, listing) }, [
    'text: superseded injected',
  ]),
  screenshotSupersede: onOff(
    {
      session: [
        text('go'),
        ...screenshot('a'),
        ...screenshot('b'),
        ...messagesOf(idle(2)).slice(1),
      ],
    },
    ['a: masked attachment'],
  ),
  'history.keepAllEdits': {
    with: { history },
    session: [...edits(3), ...idle(3)],
    shows: [
      [true, []],
      [false, ['e0: stripped edits', 'e1: stripped edits', 'e2: distilled edits']],
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
  'history.compressEdits': onOff({ with: { history }, session: [...edits(10), ...idle(3)] }, [
    ...Array.from({ length: 9 }, (_, n) => `e${n}: stripped edits`),
    'e9: distilled edits',
  ]),
  'history.recentOnly': onOff(
    { with: { history }, session: [[call('a', 'bash', { command: 'ls src' })], ...idle(3)] },
    ['a: superseded output'],
  ),
}
