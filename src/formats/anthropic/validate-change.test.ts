import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from './index.ts'

const { validateChange } = anthropic

const thinking = (name: string): object => ({ type: 'thinking', thinking: '', signature: name })
const used = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } })
const result = (id: string, content: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})
const assistant = (...content: object[]): object => ({ role: 'assistant', content })
const user = { role: 'user', content: 'Fix the parser.' }

/** Two prompts, each with a loop of two steps; the second loop is still open. */
const messages = [
  user,
  assistant(thinking('one'), used('a')),
  result('a', 'first'),
  assistant(thinking('two'), used('b')),
  result('b', 'second'),
  assistant({ type: 'text', text: 'Done.' }),
  user,
  assistant(thinking('three'), used('c')),
  result('c', 'third'),
  assistant(thinking('four'), used('d')),
  result('d', 'fourth'),
]

function brokenBy(
  changed: readonly unknown[],
  { model = 'claude-sonnet-4-5', rest = {} }: { model?: string; rest?: object } = {},
): readonly string[] {
  const before = JSON.stringify({ model, system: 'Be brief.', messages })
  const after = JSON.stringify({ model, system: 'Be brief.', messages: changed, ...rest })
  return validateChange(before, after).map(({ rule, where }) => `${rule} ${where}`)
}

const bound = { model: 'claude-opus-5-5' }

describe('thinking', () => {
  it('goes from finished turns, and stays in the loop that is running', () => {
    expect(brokenBy(messages.with(1, assistant(used('a'))))).toEqual([])
    expect(brokenBy(messages.with(7, assistant(used('c'))))).toEqual([
      'anthropic/thinking-sequence messages.7.content.0',
    ])
    expect(brokenBy(messages.with(9, assistant(used('d'))))).toEqual([
      'anthropic/latest-thinking-modified messages.9.content.0',
    ])
  })

  it('is altered when it loses its signature', () => {
    const bare = { type: 'thinking', thinking: '' }
    expect(brokenBy(messages.with(1, assistant(bare, used('a'))))).toEqual([
      'anthropic/signed-block-altered messages.1.content.0',
    ])
  })

  it('may be rewritten where it never had one', () => {
    const plain = (words: string): string =>
      JSON.stringify({
        model: 'glm-5',
        messages: [
          user,
          assistant({ type: 'thinking', thinking: words }, used('a')),
          result('a', 'x'),
        ],
      })
    expect(validateChange(plain('a long thought'), plain('—'))).toEqual([])
  })
})

describe('on a model that binds reasoning to its prefix', () => {
  it('names the first block that a change before it invalidates', () => {
    expect(brokenBy(messages.with(2, result('a', '—')), bound)).toEqual([
      'anthropic/prefix-changed messages.3.content.0',
    ])
    expect(brokenBy(messages, { ...bound, rest: { system: 'Be long.' } })).toEqual([
      'anthropic/prefix-changed messages.1.content.0',
    ])
    expect(brokenBy(messages, { ...bound, rest: { tools: [] } })).toEqual([
      'anthropic/prefix-changed messages.1.content.0',
    ])
  })

  it('lets everything after the last block change', () => {
    expect(brokenBy(messages.with(10, result('d', '—')), bound)).toEqual([])
  })

  it('takes a block that was left out for a change', () => {
    expect(brokenBy(messages.with(1, assistant(used('a'))), bound)).toEqual([
      'anthropic/prefix-changed messages.3.content.0',
    ])
  })

  it('does not count cache markers', () => {
    const marked = { type: 'text', text: 'Fix the parser.', cache_control: { type: 'ephemeral' } }
    const early = messages.with(0, { role: 'user', content: [marked] })
    const late = messages.with(6, { role: 'user', content: [marked] })
    const body = (list: readonly unknown[]): string => JSON.stringify({ ...bound, messages: list })
    expect(validateChange(body(early), body(late))).toEqual([])
  })

  it('compares a request with the one sent before it, which it continues', () => {
    const sent = JSON.stringify({ ...bound, messages: messages.slice(0, 9) })
    const next = JSON.stringify({ ...bound, messages })
    const rewritten = JSON.stringify({ ...bound, messages: messages.with(4, result('b', '—')) })
    expect(validateChange(sent, next)).toEqual([])
    expect(validateChange(sent, rewritten).map(({ rule }) => rule)).toEqual([
      'anthropic/prefix-changed',
    ])
  })
})

describe('a reminder', () => {
  it('may follow the last block, and no other', () => {
    const reminder = { type: 'text', text: 'Mind the list.' }
    const last = result('d', 'fourth') as { content: object[] }
    const middle = result('c', 'third') as { content: object[] }
    const tail = { role: 'user', content: [...last.content, reminder] }
    const inside = { role: 'user', content: [...middle.content, reminder] }
    expect(brokenBy(messages.with(10, tail))).toEqual([])
    expect(brokenBy(messages.with(8, inside))).toEqual([
      'anthropic/messages-moved messages.8.content.1',
    ])
  })
})

it('lets any result of any tool and any input of a call change, whatever the new words are', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 4, 8, 10), fc.string(), (index, words) => {
      const id = { 2: 'a', 4: 'b', 8: 'c', 10: 'd' }[index] ?? ''
      expect(brokenBy(messages.with(index, result(id, words)))).toEqual([])
    }),
  )
})
