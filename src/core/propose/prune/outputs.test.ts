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
import { estimateTokens } from '../../record/tokens.ts'
import type { MessageDraft } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const off: Settings = { ...presets.off, enabled: true }
const large: Settings = {
  ...off,
  largeOutputs: { enabled: true, bashTruncate: 10_000, allTools: false },
}
const shown = (settings: Settings, messages: readonly MessageDraft[]): readonly Shown[] =>
  prunedSession(settings, { action: actionOf, reading: readResult }, messages)
const bash = (command: string, output: string): readonly MessageDraft[] =>
  toolTurn('bash', { command }, output)
const log = (length: number): string =>
  'all is well so far\n'.repeat(1 + length / 19).slice(0, length)

describe('largeOutputs', () => {
  const cut = { at: [2, 0], how: 'truncated', reason: 'output', strategy: 'largeOutputs', turn: 2 }

  it('keeps the ends of a shell output over 10,000 characters', () => {
    const decisions = shown(large, [user('go'), ...bash('npm test', log(12_000))])
    expect(decisions).toMatchObject([cut])
    expect(decisions[0]?.text).toContain(
      '\n\n... [truncated: 12,000 chars total, 632 lines] ... [context_restore HANDLE]\n\n',
    )
  })

  it('keeps its first and last 2,000 characters, and so many more as end a line', () => {
    const numbers = Array.from({ length: 4000 }, (_, n) => `${n}`).join(' ')
    const [whole] = shown(large, [user('go'), ...bash('npm test', numbers)])
    expect(whole?.text?.split(/\n\n\.\.\. .* \.\.\. .*\n\n/)).toEqual([
      `$ npm test\n\n${numbers.slice(0, 2000)}`,
      numbers.slice(-2000),
    ])
    const lines = Array.from({ length: 700 }, (_, n) => `line ${n} is well`)
    const [inLines] = shown(large, [user('go'), ...bash('npm test', lines.join('\n'))])
    const [first = '', tail = ''] = inLines?.text?.split(/\n\n\.\.\. .* \.\.\. .*\n\n/) ?? []
    const head = first.replace(/^\$ npm test\n\n/, '')
    expect([
      lines.includes(head.split('\n').at(-1) ?? ''),
      lines.includes(tail.split('\n')[0] ?? ''),
    ]).toEqual([true, true])
    for (const { length } of [head, tail]) {
      expect(length).toBeGreaterThanOrEqual(2000)
      expect(length).toBeLessThan(2020)
    }
  })

  it('leaves what was brought back on purpose alone, and so does admission', () => {
    const all = { ...large.largeOutputs, allTools: true }
    const messages = [
      user('go'),
      ...bash('palimpsest restore a1b2c3', log(12_000)),
      ...bash('cd /x && npx palimpsest restore a1b2c3 --session s', log(12_001)),
      ...toolTurn('mcp__palimpsest__context_restore', { handle: 'a1b2c3' }, log(12_002)),
    ]
    for (const settings of [
      { ...off, largeOutputs: all },
      { ...off, admission: { enabled: true, wholeChars: 800 } },
    ])
      expect(shown(settings, messages)).toEqual([])
  })

  it('leaves smaller outputs and those of other tools alone', () => {
    const messages = [
      user('go'),
      ...bash('npm test', log(10_000)),
      ...toolTurn('webfetch', { url: 'https://example.org' }, log(12_000)),
      ...toolTurn('read', { filePath: 'a.log' }, log(12_000)),
    ]
    expect(shown(large, messages)).toEqual([])
    const all: Settings = { ...large, largeOutputs: { ...large.largeOutputs, allTools: true } }
    expect(shown(all, messages)).toMatchObject([{ at: [4, 0] }])
  })

  it('leaves a file alone that a command printed, where files are shown as they are now', () => {
    const messages = [user('go'), ...bash('cat a.ts', log(12_000))]
    expect(shown({ ...large, files: 'current-view' }, messages)).toEqual([])
    expect(shown({ ...large, files: 'first-last' }, messages)).toMatchObject([cut])
  })

  describe('when the context gets full', () => {
    const session = [
      user('go'),
      ...bash('one', log(900)),
      ...bash('two', log(4000)),
      ...bash('three', log(6000)),
      ...bash('four', log(8000)),
      ...idleTurns(1),
    ]
    const places = (settings: Settings): readonly number[] =>
      shown(settings, session).map(({ at }) => at[0])

    it('cuts the outputs of middle size, oldest first, until the rest fits', () => {
      const texts = session.flatMap(({ items }) => items.map(({ text }) => text))
      const total = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
      // The first cut leaves less than half of 4,000 characters out, the second more than that.
      const budget = total - estimateTokens(log(2200))
      expect(places({ ...large, contextLimit: null })).toEqual([])
      expect(places({ ...large, contextLimit: 100_000 })).toEqual([])
      expect(places({ ...large, contextLimit: budget / 0.7 })).toEqual([4, 6])
      expect(places({ ...large, contextLimit: 100 })).toEqual([4, 6, 8])
    })

    it('counts only the share of the context that the messages may take', () => {
      const history = { ...large.history, budgetShare: 0.01 }
      expect(places({ ...large, history, contextLimit: 100_000 })).toEqual([4, 6, 8])
    })

    it('counts what others have left out already', () => {
      const failed = toolTurn('webfetch', { url: 'https://example.org' }, log(9000), 'error')
      const messages = [user('go'), ...failed, ...bash('two', log(4000)), ...idleTurns(1)]
      const full: Settings = { ...large, contextLimit: estimateTokens(log(6000)) / 0.7 }
      const purging = { ...full, purgeErrors: { enabled: true, turns: 1, protectedTools: [] } }
      expect(shown(full, messages).map(({ at }) => at[0])).toEqual([4])
      expect(shown(purging, messages).map(({ at }) => at[0])).toEqual([2])
    })

    it('keeps what a critical task names, and lets go first of what one calls ephemeral', () => {
      const named = (mark: string, path: string): readonly MessageDraft[] =>
        toolTurn(
          'todowrite',
          {
            todos: [{ id: '1', content: `${mark} look at ${path}`, status: 'pending' }],
          },
          'ok',
        )
      const outputs = ['a.ts', 'b.ts'].flatMap((path) => bash(`wc ${path}; cat ${path}`, log(4000)))
      const cuts = (tasks: readonly MessageDraft[], contextLimit: number): readonly number[] =>
        shown({ ...large, contextLimit }, [user('go'), ...tasks, ...outputs, ...idleTurns(1)]).map(
          ({ at }) => at[0],
        )
      const tight = estimateTokens(log(7000)) / 0.7
      expect(cuts(named('🟢', 'a.ts'), tight)).toEqual([4])
      expect(cuts(named('🔴', 'a.ts'), 100)).toEqual([6])
      expect(cuts(named('🔵', 'b.ts'), tight)).toEqual([6])
    })

    it('leaves the protected turns alone', () => {
      expect(places({ ...large, turnProtection: 2, contextLimit: 100 })).toEqual([4, 6])
    })
  })
})

describe('recentOnly', () => {
  const settings: Settings = {
    ...off,
    history: { ...off.history, recentOnly: true, recentResults: 3 },
  }
  const listing = 'file.ts\n'.repeat(30)
  const others = (count: number): readonly MessageDraft[] =>
    Array.from({ length: count }, (_, index) => bash(`make ${index}`, 'built')).flat()

  it.each([
    ['ls', { path: 'src' }, '[list src · old output · context_restore HANDLE]'],
    ['bash', { command: 'ls -la src' }, '[$ ls -la src · old output · context_restore HANDLE]'],
    ['focus', { target: 'src' }, '[focus · old output · context_restore HANDLE]'],
    ['mcp__ide__unfocus', {}, '[mcp__ide__unfocus · old output · context_restore HANDLE]'],
  ])('keeps what %s gave while it is among the newest results', (tool, input, text) => {
    const messages = [user('go'), ...toolTurn(tool, input, listing)]
    expect(shown(settings, [...messages, ...others(2)])).toEqual([])
    expect(shown(settings, [...messages, ...others(3)])).toEqual([
      { at: [2, 0], text, how: 'superseded', reason: 'output', strategy: 'recentOnly', turn: 5 },
    ])
  })

  it.each([
    ['bash', { command: 'ls src && make' }],
    ['glob', { pattern: '**/*.ts' }],
    ['grep', { pattern: 'TODO' }],
    ['read', { filePath: 'a.ts' }],
  ])('keeps what %s gave for %j', (tool, input) => {
    expect(shown(settings, [user('go'), ...toolTurn(tool, input, listing), ...others(9)])).toEqual(
      [],
    )
  })
})
