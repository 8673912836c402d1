import { describe, expect, it } from 'vitest'
import { prunedSession, type Shown, toolTurn, user } from '../../../../test/core/pruned-session.ts'
import { actionOf, readResult } from '../../../actions/index.ts'
import { presets } from '../../../config/presets.ts'
import { createEngine } from '../../engine.ts'
import type { MessageDraft } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const off: Settings = { ...presets.off, enabled: true }
const settings: Settings = {
  ...off,
  history: { ...off.history, compressEdits: true, recentResults: 2 },
}
const shown = (own: Settings, messages: readonly MessageDraft[]): readonly Shown[] =>
  prunedSession(own, { action: actionOf, reading: readResult }, messages)

const updated = `The file config.py has been updated. ${'It looks like this. '.repeat(10)}`
const edit = (intent: string): readonly MessageDraft[] =>
  toolTurn(
    'edit',
    { file_path: 'config.py', old_str: 'a'.repeat(800), new_str: 'b'.repeat(800), intent },
    updated,
  )
const edits = (count: number): readonly MessageDraft[] =>
  Array.from({ length: count }, (_, index) => edit(`Change ${index + 1}`)).flat()
const others = [
  ...toolTurn('bash', { command: 'make' }, 'built'),
  ...toolTurn('bash', { command: 'make test' }, 'passed'),
]

describe('compressEdits', () => {
  it('makes ten old edits of one file the list of their intents', () => {
    const decisions = shown(settings, [user('go'), ...edits(10), ...others])
    const common = { reason: 'edits', strategy: 'compressEdits', turn: 13 }
    const expected = Array.from({ length: 9 }, (_, index) => [
      {
        ...common,
        at: [1 + 2 * index, 0],
        text: `{"file_path":"config.py","intent":"Change ${index + 1}"}`,
        how: 'stripped',
      },
      {
        ...common,
        at: [2 + 2 * index, 0],
        text: '[edit config.py · listed in a later result · context_restore HANDLE]\n[diff · HANDLE]',
        how: 'superseded',
      },
    ]).flat()
    const list = [
      '[Edits to config.py: 10 changes between turns 1-10]',
      ...Array.from({ length: 10 }, (_, index) => `- Change ${index + 1}`),
      '[Full diff available in ground truth] [context_restore HANDLE]',
    ].join('\n')
    expect(decisions).toEqual([
      ...expected,
      {
        ...common,
        at: [19, 0],
        text: '{"file_path":"config.py","intent":"Change 10"}',
        how: 'distilled',
      },
      { ...common, at: [20, 0], text: `${updated}\n${list}`, how: 'distilled' },
    ])
  })

  it('keeps edits that are few, recent, or of several files', () => {
    const elsewhere = toolTurn('edit', { file_path: 'b.py', old_str: 'a', new_str: 'b' }, updated)
    expect(shown(settings, [user('go'), ...edits(9), ...elsewhere, ...others])).toEqual([])
    expect(shown(settings, [user('go'), ...edits(11)])).toEqual([])
  })

  it('takes fewer edits for a long run where not all edits are to be kept', () => {
    const loose = { ...settings, history: { ...settings.history, keepAllEdits: false } }
    expect(shown(loose, [user('go'), ...edits(3), ...others])).toHaveLength(6)
  })

  it('lists small edits too, as long as all of them together get shorter', () => {
    const small = (n: number): readonly MessageDraft[] =>
      toolTurn(
        'edit',
        {
          file_path: './config.py',
          old_str: `level = ${n} # ${'the old level '.repeat(6)}`,
          new_str: `level = ${n + 1} # ${'the new level '.repeat(6)}`,
          intent: 'Raise the level',
        },
        'Edit applied successfully.',
      )
    const messages = [
      user('go'),
      ...Array.from({ length: 12 }, (_, n) => small(n)).flat(),
      ...others,
    ]
    const decisions = shown(settings, messages)
    const text = decisions.at(-1)?.text ?? ''
    expect(text).toContain('[Edits to ./config.py: 12 changes between turns 1-12]')
    expect(text).toContain('- Raise the level 12x')
    const before = messages.flatMap(({ items }) => items.map((item) => item.text.length))
    const saved = decisions.map(({ at, text: now }) => {
      const item = messages[at[0]]?.items[at[1]]
      return (item?.text.length ?? 0) - (now?.length ?? 0)
    })
    const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)
    expect(sum(saved)).toBeGreaterThan(0)
    expect(sum(saved)).toBeLessThan(sum(before))
  })

  it('has one list for a run, which grows with it', () => {
    const lists = shown(settings, [user('go'), ...edits(22), ...others]).filter(
      ({ how }) => how === 'distilled',
    )
    expect(lists.flatMap(({ text }) => /\[Edits[^\]]*\]/.exec(text ?? '')?.[0] ?? [])).toEqual([
      '[Edits to config.py: 22 changes between turns 1-22]',
    ])
  })

  it('lists edits one by one as they become old, as if they came together', () => {
    const messages = [user('go'), ...edits(14), ...others]
    const engine = createEngine({
      restore: { tool: 'context_restore' },
      settings,
      understanding: { action: actionOf, reading: readResult },
    })
    for (let count = 1; count < messages.length; count += 2)
      engine.request(messages.slice(0, count))
    const { changes } = engine.request(messages)
    const texts = changes.map(({ text }) =>
      text?.replaceAll(/(?<=context_restore |\[diff · )[0-9a-f]{6,}/g, 'HANDLE'),
    )
    expect(texts).toEqual(shown(settings, messages).map(({ text }) => text))
    expect(texts.at(-1)).toContain('14 changes between turns 1-14')
  })

  it('hides no edit where it may be the only place that shows the file as it is', () => {
    const viewing = { ...settings, files: 'current-view' as const }
    expect(
      shown(viewing, [user('go'), ...edits(12), ...others]).filter(
        ({ strategy }) => strategy === 'compressEdits',
      ),
    ).toEqual([])
  })

  it('leaves failed edits out', () => {
    const failed = toolTurn(
      'edit',
      { file_path: 'config.py', old_str: 'a', new_str: 'b', intent: 'Failed' },
      updated,
      'error',
    )
    const decisions = shown(settings, [user('go'), ...failed, ...edits(10), ...others])
    expect(decisions.map(({ at }) => at[0])).not.toContain(1)
    expect(decisions.at(-1)?.text).not.toContain('Failed')
  })
})
