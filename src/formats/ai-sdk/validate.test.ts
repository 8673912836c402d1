import { describe, expect, it } from 'vitest'
import { aiSdk } from './index.ts'
import * as rules from './rules.ts'

type List = readonly unknown[]

const user = { role: 'user', content: 'hello' }
const call = (id: string, more: object = {}): unknown => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'read',
  input: {},
  ...more,
})
const result = (id: string, value = 'text', more: object = {}): unknown => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  output: { type: 'text', value },
  ...more,
})
const assistant = (...content: unknown[]): unknown => ({ role: 'assistant', content })
const results = (...content: unknown[]): unknown => ({ role: 'tool', content })
const thought = (text: string, signature?: string): unknown => ({
  type: 'reasoning',
  text,
  ...(signature === undefined ? {} : { providerOptions: { anthropic: { signature } } }),
})
const text = (words: string): unknown => ({ type: 'text', text: words })
const custom = (note: string): unknown => ({
  type: 'custom',
  kind: 'acme.note',
  providerOptions: { acme: { note } },
})

const schema = 'Invalid prompt: The messages do not match the ModelMessage[] schema.'

interface Case {
  readonly rule: string
  /** Set where a change is at stake. */
  readonly before?: List
  readonly broken: List
  readonly kept: List
  readonly where: string
  readonly message: string
}

const cases: readonly Case[] = [
  {
    rule: 'ai-sdk/not-a-list',
    broken: 'hello' as unknown as List,
    kept: [user],
    where: 'messages',
    message: schema,
  },
  {
    rule: 'ai-sdk/messages-empty',
    broken: [],
    kept: [user],
    where: 'messages',
    message: 'Invalid prompt: messages must not be empty',
  },
  {
    rule: 'ai-sdk/message-shape',
    broken: [user, { role: 'critic', content: 'no' }],
    kept: [user, { role: 'assistant', content: 'no' }],
    where: 'messages.1',
    message: schema,
  },
  {
    rule: 'ai-sdk/part-shape',
    broken: [user, assistant(text('a'), { type: 'tool-call', toolName: 'read', input: {} })],
    kept: [user, assistant(text('a'), { type: 'from-a-later-version' })],
    where: 'messages.1.content.1',
    message: schema,
  },
  {
    rule: 'ai-sdk/content-empty',
    broken: [user, assistant()],
    kept: [user, assistant(text('a'))],
    where: 'messages.1.content',
    message: 'messages.1.content: a message needs at least one part',
  },
  {
    rule: 'ai-sdk/tool-results-missing',
    broken: [user, assistant(call('a')), user],
    kept: [user, assistant(call('a')), results(result('a')), user],
    where: 'messages.2',
    message: 'Tool result is missing for tool call a.',
  },
  {
    rule: 'ai-sdk/tool-result-without-call',
    broken: [user, results(result('a'))],
    kept: [user, assistant(call('a')), results(result('a'))],
    where: 'messages.1.content.0',
    message: 'messages.1.content.0: there is no tool call a before this result',
  },
  {
    rule: 'ai-sdk/tool-result-repeated',
    broken: [user, assistant(call('a')), results(result('a'), result('a'))],
    kept: [
      user,
      assistant(call('a')),
      results(result('a')),
      assistant(call('a')),
      results(result('a')),
    ],
    where: 'messages.2.content.1',
    message: 'messages.2.content.1: the tool call a has a result already',
  },
  {
    rule: 'ai-sdk/messages-moved',
    before: [user, assistant(text('a'))],
    broken: [assistant(text('a')), user],
    kept: [user, assistant(text('b')), user],
    where: 'messages.0',
    message: 'messages.0: messages must stay, with their roles and in their order',
  },
  {
    rule: 'ai-sdk/parts-moved',
    before: [user, assistant(thought('t'), text('a'))],
    broken: [user, assistant(thought('t'))],
    kept: [user, assistant(text('a'))],
    where: 'messages.1',
    message: 'messages.1: only reasoning and markers may go, and what stays keeps its order',
  },
  {
    rule: 'ai-sdk/ids-changed',
    before: [
      user,
      assistant(call('a', { providerOptions: { google: { thoughtSignature: 's' } } })),
    ],
    broken: [user, assistant(call('a'))],
    kept: [
      user,
      assistant(
        call('a', { input: { b: 1 }, providerOptions: { google: { thoughtSignature: 's' } } }),
      ),
    ],
    where: 'messages.1.content.0',
    message: 'messages.1.content.0: ids and the names of tools must stay',
  },
  {
    rule: 'ai-sdk/user-text-changed',
    before: [user, assistant(text('a'))],
    broken: [{ role: 'user', content: 'goodbye' }, assistant(text('a'))],
    kept: [user, assistant(text('b'))],
    where: 'messages.0.content',
    message: 'messages.0.content: text of the user must stay as it was',
  },
  {
    rule: 'ai-sdk/signed-reasoning-altered',
    before: [user, assistant(thought('one', 's1'), thought('two', 's2'), text('a'))],
    broken: [user, assistant(thought('one', 's1'), thought('2', 's2'), text('a'))],
    kept: [user, assistant(thought('two', 's2'), text('a'))],
    where: 'messages.1.content.1',
    message:
      'messages.1.content.1: reasoning that the provider signed or encrypted stays whole or goes whole',
  },
  {
    rule: 'ai-sdk/opaque-changed',
    before: [user, assistant(text('a'), custom('n'))],
    broken: [user, assistant(text('a'), custom('m'))],
    kept: [user, assistant(text('b'), custom('n'))],
    where: 'messages.1.content.1',
    message: 'messages.1.content.1: what belongs to the provider must stay as it was',
  },
]

describe('the rules of the AI SDK', () => {
  it('have one pair of lists each', () => {
    const known = Object.values(rules).flatMap((each) =>
      'id' in each ? [each.id] : Object.values(each).map(({ id }) => id),
    )
    expect(cases.map(({ rule }) => rule).sort()).toEqual(known.sort())
  })

  it.each(cases.map((each) => [each.rule, each] as const))('%s', (_name, each) => {
    const { before, rule, where, message } = each
    const check = (list: List): unknown =>
      before === undefined ? aiSdk.validate(list) : aiSdk.validateChange(before, list)
    expect(check(each.broken)).toEqual([{ rule, where, message }])
    expect(check(each.kept)).toEqual([])
  })

  it('let a provider answer its own calls, and the SDK those that were approved', () => {
    const own = call('s', { providerExecuted: true })
    expect(aiSdk.validate([user, assistant(own, text('a')), user])).toEqual([])
    expect(aiSdk.validate([user, assistant(own, result('s'), text('a')), user])).toEqual([])
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }
    const response = { type: 'tool-approval-response', approvalId: 'p', approved: true }
    const asked = assistant(call('a'), request)
    expect(aiSdk.validate([user, asked, results(response)])).toEqual([])
    expect(aiSdk.validate([user, asked]).map(({ rule }) => rule)).toEqual([
      'ai-sdk/tool-results-missing',
    ])
  })

  it('let unsigned reasoning change beside reasoning that is gone', () => {
    const before = [user, assistant(thought('one', 's1'), thought('two'), text('a'))]
    const kept = [user, assistant(thought('—'), text('a'))]
    expect(aiSdk.validateChange(before, kept)).toEqual([])
    const signed = [user, assistant(thought('two', 's1'), text('a'))]
    expect(aiSdk.validateChange(before, signed)).not.toEqual([])
  })

  it('see a swapped name, a lost result and reasoning that nobody wrote', () => {
    const before = [user, assistant(call('a'), call('b')), results(result('a'), result('b'))]
    const rulesOf = (after: List): unknown =>
      aiSdk.validateChange(before, after).map(({ rule }) => rule)
    expect(
      rulesOf([user, assistant(call('a'), call('b')), results(result('b'), result('a'))]),
    ).toEqual(['ai-sdk/ids-changed', 'ai-sdk/ids-changed'])
    expect(rulesOf([user, assistant(call('a'), call('b')), results(result('a'))])).toEqual([
      'ai-sdk/parts-moved',
    ])
    expect(
      rulesOf([
        user,
        assistant(call('a'), call('b'), thought('new')),
        results(result('a'), result('b')),
      ]),
    ).toEqual(['ai-sdk/parts-moved'])
    expect(rulesOf([user])).toEqual(['ai-sdk/messages-moved'])
  })
})
