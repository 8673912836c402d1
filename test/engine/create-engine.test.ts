import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/config/create-engine.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'

const page = (n: number): string => `answer ${n}: ${'a long page of text '.repeat(30)}`
const fetched = (turns: number): MessageDraft[] => [
  { role: 'user', items: [{ kind: 'text', text: 'look it up' }] },
  ...Array.from({ length: turns }, (_, n): MessageDraft[] => {
    const id = `toolu_${n}`
    const input = '{"url":"https://example.org/a"}'
    return [
      { role: 'assistant', items: [{ kind: 'call', call: id, tool: 'WebFetch', text: input }] },
      {
        role: 'user',
        items: [{ kind: 'result', call: id, tool: 'WebFetch', text: page(n), status: 'ok' }],
      },
    ]
  }).flat(),
]

describe('an engine of the library', () => {
  it.each([
    ['nothing', () => createEngine()],
    ['no options', () => createEngine({})],
    ['a preset and nothing else', () => createEngine({ preset: 'balanced' })],
  ])('works with %s', (_, make) => {
    const engine = make()
    engine.request(fetched(1), undefined, { at: 0, model: 'claude-opus-4-5' })
    const { changes, fault } = engine.request(fetched(7), undefined, {
      at: 99 * 60_000,
      model: 'claude-opus-4-5',
    })
    expect(fault).toBeNull()
    expect(changes.length).toBeGreaterThan(0)
  })

  it('takes settings in the place of a preset', () => {
    const off = createEngine({ settings: resolveSettings({ preset: 'off' }) })
    off.request(fetched(1), undefined, { at: 0, model: null })
    expect(off.request(fetched(7), undefined, { at: 99 * 60_000, model: null }).changes).toEqual([])
  })

  it.each([
    [{ presett: 'balanced' }, "createEngine has no option 'presett'. Did you mean 'preset'?"],
    [{ preset: 'balancd' }, "Did you mean 'balanced'?"],
    [{ preset: 7 }, "'preset' must be one of balanced, compact"],
    [{ regime: 'openay' }, "Did you mean 'openai'?"],
    [{ cwd: 7 }, "'cwd' must be a path or null."],
    [{ settings: {} }, 'Pass what `resolveSettings({ … })` returns.'],
    [{ ledger: {} }, "'ledger' must be a list."],
    [{ toolMappings: {} }, "'toolMappings' must be a list."],
    [{ models: 'x' }, "'models' must be a list."],
    [
      { models: [{ model: 'x' }, {}] },
      "'models' must have 'model' in every entry. Entry 1 has none.",
    ],
    [{ toolMappings: [{ tool: 'x' }] }, "'toolMappings' must have 'as' in every entry."],
    [{ ledger: [1] }, "'ledger' must have 'kind' in every entry."],
    [{ restore: 'context_restore' }, "{ tool: 'context_restore' }"],
    [{ understanding: 7 }, 'must be an understanding'],
    [null, "createEngine takes options, as in { preset: 'balanced' }"],
    ['balanced', "createEngine takes options, as in { preset: 'balanced' }"],
  ])('says what is wrong with %j', (options, told) => {
    // @ts-expect-error every one of them is a mistake
    expect(() => createEngine(options)).toThrow(told)
  })

  it.each([
    ['nothing', undefined],
    ['a body', { messages: [] }],
    ["a provider's own messages", [{ role: 'user', content: 'hi' }]],
    ['texts', ['hi']],
  ])('says what a request takes when it gets %s', (_, messages) => {
    // @ts-expect-error every one of them is a mistake
    expect(() => createEngine().request(messages)).toThrow(
      'request takes messages with items, as a format reads them',
    )
    expect(createEngine().request([]).fault).toBeNull()
  })

  it('says which preset was meant when settings are resolved', () => {
    // @ts-expect-error an unknown preset
    expect(() => resolveSettings({ preset: 'compackt' })).toThrow("Did you mean 'compact'?")
  })
})
