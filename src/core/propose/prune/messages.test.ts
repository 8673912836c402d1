import { describe, expect, it } from 'vitest'
import {
  assistant,
  idleTurns,
  prunedSession,
  type Shown,
  user,
} from '../../../../test/core/pruned-session.ts'
import { actionOf, readResult } from '../../../actions/index.ts'
import { presets } from '../../../config/presets.ts'
import type { ItemDraft, MessageDraft } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const off: Settings = { ...presets.off, enabled: true }
const shown = (settings: Settings, messages: readonly MessageDraft[]): readonly Shown[] =>
  prunedSession(settings, { action: actionOf, reading: readResult }, messages)

describe('pruneStepMarkers', () => {
  const marker = (name: string): ItemDraft => ({ kind: 'marker', marker: name, text: '' })
  const messages = [
    user('go'),
    assistant(marker('step-start'), 'done', marker('step-finish'), marker('compaction')),
    user('more'),
  ]

  it('leaves the markers of steps out, and no others', () => {
    const gone = {
      text: null,
      how: 'discarded',
      reason: 'marker',
      strategy: 'pruneStepMarkers',
      turn: 2,
    }
    expect(shown({ ...off, pruneStepMarkers: true }, messages)).toEqual([
      { ...gone, at: [1, 0] },
      { ...gone, at: [1, 2] },
    ])
  })

  it('does nothing when it is off', () => {
    expect(shown(off, messages)).toEqual([])
  })
})

describe('pruneFiles', () => {
  const settings = { ...off, pruneFiles: true }
  const image = { media: 'image/png', text: 'image/png, 34567 bytes, sha256 0123456789abcdef' }
  const masked = {
    text: '[image/png, 34 KB · context_restore HANDLE]',
    how: 'masked',
    reason: 'attachment',
    strategy: 'pruneFiles',
  }

  it('masks what a user attached once the model has seen it', () => {
    const messages = [user('look', { kind: 'attachment', ...image })]
    expect(shown(settings, messages)).toEqual([])
    expect(shown(settings, [...messages, ...idleTurns(1)])).toEqual([
      { ...masked, at: [0, 1], turn: 2 },
    ])
  })

  it('masks what a tool attached not before the model has seen it', () => {
    const messages: readonly MessageDraft[] = [
      user('look'),
      assistant({ kind: 'call', tool: 'screenshot', call: '1', text: '{}' }),
      {
        role: 'user',
        items: [
          { kind: 'result', tool: 'screenshot', call: '1', text: 'ok', status: 'ok' },
          { kind: 'attachment', call: '1', ...image },
        ],
      },
    ]
    expect(shown(settings, messages)).toEqual([])
    expect(shown(settings, [...messages, ...idleTurns(1)])).toEqual([
      { ...masked, at: [2, 1], turn: 3 },
    ])
  })

  it('waits for the protected turns, and leaves what a provider owns alone', () => {
    const messages = [user('look', { kind: 'attachment', ...image }), ...idleTurns(3)]
    expect(shown({ ...settings, turnProtection: 4 }, messages)).toEqual([])
    const owned = [user('look', { kind: 'attachment', opaque: true, ...image }), ...idleTurns(3)]
    expect(shown(settings, owned)).toEqual([])
  })
})

describe('pruneUserCodeBlocks', () => {
  const settings = { ...off, pruneUserCodeBlocks: true }
  const code = Array.from({ length: 21 }, (_, index) => `const value${index} = 1`)
  const text = ['See:', '```ts', ...code, '```', 'Why?'].join('\n')

  it('shortens the long blocks of older messages of the user', () => {
    expect(shown(settings, [user(text)])).toEqual([])
    expect(shown(settings, [user(text), ...idleTurns(1)])).toEqual([
      {
        at: [0, 0],
        text: [
          'See:',
          '```ts',
          ...code.slice(0, 3),
          '[… 15 lines left out · context_restore HANDLE]',
          ...code.slice(-3),
          '```',
          'Why?',
        ].join('\n'),
        how: 'truncated',
        reason: 'code-block',
        strategy: 'pruneUserCodeBlocks',
        turn: 2,
      },
    ])
  })

  it('leaves what the assistant wrote alone', () => {
    expect(shown(settings, [user('go'), assistant(text), user('more'), ...idleTurns(2)])).toEqual(
      [],
    )
  })
})

describe('pruneThinking', () => {
  const settings = { ...off, pruneThinking: { enabled: true, turns: 2 } }
  const thinking = (binding: 'plain' | 'signed' | 'opaque'): readonly MessageDraft[] => [
    user('go'),
    assistant({ kind: 'reasoning', binding, text: 'Let me think about it.' }, 'done'),
    user('more'),
  ]

  it('leaves one character of old reasoning that nobody signed', () => {
    expect(shown(settings, thinking('plain'))).toEqual([])
    expect(shown(settings, [...thinking('plain'), ...idleTurns(1)])).toEqual([
      {
        at: [1, 0],
        text: '—',
        how: 'distilled',
        reason: 'reasoning',
        strategy: 'pruneThinking',
        turn: 3,
      },
    ])
  })

  it('removes old signed reasoning whole, once the user has spoken again', () => {
    const signed = thinking('signed')
    expect(shown(settings, [...signed, ...idleTurns(9)])).toEqual([
      {
        at: [1, 0],
        text: null,
        how: 'distilled',
        reason: 'reasoning',
        strategy: 'pruneThinking',
        turn: 3,
      },
    ])
    const isAlone = signed.slice(0, 2)
    expect(
      shown(settings, [...isAlone, ...idleTurns(9).filter(({ role }) => role !== 'user')]),
    ).toEqual([])
  })

  it('never touches a block that is opaque', () => {
    expect(shown(settings, [...thinking('opaque'), ...idleTurns(9)])).toEqual([])
  })
})
