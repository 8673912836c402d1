import { describe, expect, it } from 'vitest'
import {
  idleTurns,
  prunedSession,
  type Shown,
  toolTurn,
  user,
} from '../../../../test/core/pruned-session.ts'
import { actionOf, readResult } from '../../../actions/index.ts'
import { presets } from '../../../config/presets.ts'
import type { MessageDraft } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const off: Settings = { ...presets.off, enabled: true }
const truncate: Settings = { ...off, truncateOldErrors: { enabled: true, turns: 3 } }
const purge: Settings = {
  ...off,
  purgeErrors: { enabled: true, turns: 4, protectedTools: ['deploy', 'mcp__*'] },
}
const shown = (settings: Settings, messages: readonly MessageDraft[]): readonly Shown[] =>
  prunedSession(settings, { action: actionOf, reading: readResult }, messages)

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `what went wrong, part ${index + 1}`).join('\n')
const content = 'x'.repeat(300)
const failing = (tool = 'write', output = lines(20)): readonly MessageDraft[] => [
  user('go'),
  ...toolTurn(tool, { file_path: 'a.ts', content }, output, 'error'),
]

const truncated = {
  at: [2, 0],
  text: `${lines(3)}\n[… 14 lines left out · context_restore HANDLE]\n${lines(20).split('\n').slice(-3).join('\n')}`,
  how: 'truncated',
  reason: 'error',
  strategy: 'truncateOldErrors',
  turn: 4,
}
const note = '[input left out · context_restore HANDLE]'
const purged = [
  {
    at: [1, 0],
    text: '{"file_path":"a.ts"}',
    how: 'stripped',
    reason: 'input',
    strategy: 'purgeErrors',
    turn: 5,
  },
  {
    at: [2, 0],
    text: `[write a.ts · failed: what went wrong, part 1 · context_restore HANDLE]\n${note}`,
    how: 'discarded',
    reason: 'error',
    strategy: 'purgeErrors',
    turn: 5,
  },
]

describe('truncateOldErrors', () => {
  it('keeps an error whole for three turns, and then its first and last three lines', () => {
    expect(shown(truncate, [...failing(), ...idleTurns(1)])).toEqual([])
    expect(shown(truncate, [...failing(), ...idleTurns(2)])).toEqual([truncated])
    expect(shown(truncate, [...failing(), ...idleTurns(9)])).toEqual([truncated])
  })

  it('lets the model see every error once, however soon it is to go', () => {
    const soon = {
      ...off,
      truncateOldErrors: { enabled: true, turns: 1 },
      purgeErrors: { enabled: true, turns: 1, protectedTools: [] },
    }
    expect(shown(soon, failing())).toEqual([])
    expect(shown(soon, [...failing(), ...idleTurns(1)])).toHaveLength(2)
  })

  it('leaves results alone that are no errors, and errors that are short', () => {
    const fine = toolTurn('write', { file_path: 'a.ts', content }, lines(20))
    const short = toolTurn('write', { file_path: 'a.ts', content }, lines(5), 'error')
    expect(shown(truncate, [user('go'), ...fine, ...short, ...idleTurns(9)])).toEqual([])
  })

  it('waits for the protected turns', () => {
    const protecting = { ...truncate, turnProtection: 6 }
    expect(shown(protecting, [...failing(), ...idleTurns(5)])).toEqual([])
    expect(shown(protecting, [...failing(), ...idleTurns(6)])).toEqual([{ ...truncated, turn: 8 }])
  })

  it('leaves an error alone that the agent itself has cleared', () => {
    const cleared = failing('write', '[Old tool result content cleared]')
    expect(shown(truncate, [...cleared, ...idleTurns(9)])).toEqual([])
  })
})

describe('purgeErrors', () => {
  it('leaves the first line of an error after its turns, and strips the input', () => {
    expect(shown(purge, [...failing(), ...idleTurns(2)])).toEqual([])
    expect(shown(purge, [...failing(), ...idleTurns(3)])).toEqual(purged)
  })

  it('spares its own protected tools, by name and by pattern', () => {
    expect(shown(purge, [...failing('deploy'), ...idleTurns(9)])).toEqual([])
    expect(shown(purge, [...failing('mcp__files__write'), ...idleTurns(9)])).toEqual([])
  })

  it('takes over from an error that was only shortened', () => {
    const both = { ...truncate, purgeErrors: purge.purgeErrors }
    expect(shown(both, [...failing(), ...idleTurns(2)])).toEqual([truncated])
    expect(shown(both, [...failing(), ...idleTurns(3)])).toEqual(purged)
  })

  it('decides once where both are due in the same turn', () => {
    const both = { ...purge, truncateOldErrors: { enabled: true, turns: 4 } }
    expect(shown(both, [...failing(), ...idleTurns(3)])).toEqual(purged)
  })

  it('keeps a short error and strips its input all the same', () => {
    const short = failing('write', 'denied')
    expect(shown(purge, [...short, ...idleTurns(3)])).toEqual([
      purged[0],
      { ...purged[0], at: [2, 0], text: `denied\n${note}` },
    ])
  })
})
