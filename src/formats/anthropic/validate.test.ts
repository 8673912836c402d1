import { describe, expect, it } from 'vitest'
import { anthropic } from './index.ts'

const { validate } = anthropic

const user = { role: 'user', content: 'Fix the parser.' }
const used = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} })
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'one' })
const text = (words: string): object => ({ type: 'text', text: words })
const thinking = { type: 'thinking', thinking: '', signature: 'c2ln' }
const message = (role: string, ...content: object[]): object => ({ role, content })

function rulesBrokenBy(messages: readonly unknown[], rest: object = {}): readonly string[] {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 10, messages, ...rest }
  return validate(JSON.stringify(body)).map(({ rule, where }) => `${rule} ${where}`)
}

describe('messages that the API combines', () => {
  it('answers calls of several assistant messages by results of several user messages', () => {
    expect(
      rulesBrokenBy([
        user,
        message('assistant', used('a')),
        message('assistant', text('And:'), used('b')),
        message('user', result('b')),
        message('user', result('a'), text('Go on.')),
        user,
      ]),
    ).toEqual([])
  })

  it('is too late with a result that comes in a message after the user spoke', () => {
    expect(
      rulesBrokenBy([user, message('assistant', used('a')), user, message('user', result('a'))]),
    ).toEqual([
      'anthropic/tool-use-without-result messages.1',
      'anthropic/tool-result-without-use messages.3.content.0',
    ])
  })

  it('wants the results at the beginning of the message, before the words of the user', () => {
    const calls = message('assistant', used('a'), used('b'))
    expect(
      rulesBrokenBy([user, calls, message('user', result('b'), result('a'), text('x'))]),
    ).toEqual([])
    expect(
      rulesBrokenBy([user, calls, message('user', result('a'), text('x'), result('b'))]),
    ).toEqual(['anthropic/tool-use-without-result messages.1'])
  })

  it('takes no empty text inside a result either', () => {
    const holding = (...content: object[]): object => ({ ...result('a'), content })
    const broken = (held: object): readonly string[] =>
      rulesBrokenBy([user, message('assistant', used('a')), message('user', held)])
    expect(broken(holding())).toEqual([])
    expect(broken(holding(text('one'), text('')))).toEqual([
      'anthropic/empty-text messages.2.content.0.tool_result.content.1',
    ])
    expect(broken(holding({ ...text(''), cache_control: { type: 'ephemeral' } }))).toEqual([
      'anthropic/cache-control-on-empty-text messages.2.content.0.tool_result.content.0',
    ])
  })

  it('does not take a system entry for the message after a call', () => {
    const messages = [
      user,
      message('assistant', used('a')),
      message('user', result('a')),
      { role: 'system', content: 'Be brief.' },
      message('assistant', used('b')),
      message('user', result('b')),
    ]
    expect(rulesBrokenBy(messages, { model: 'claude-opus-4-8' })).toEqual([])
  })
})

describe('a call that nobody answers', () => {
  it('is found at the end of the conversation too', () => {
    expect(rulesBrokenBy([user, message('assistant', used('a'))])).toEqual([
      'anthropic/tool-use-without-result messages.1',
    ])
  })

  it('is none when the provider runs the tool itself', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    expect(rulesBrokenBy([user, message('assistant', search, found, text('Yes.')), user])).toEqual(
      [],
    )
  })
})

describe('thinking on a budget', () => {
  const budget = { thinking: { type: 'enabled', budget_tokens: 1024 } }

  it('need not be in turns that are over', () => {
    const messages = [user, message('assistant', used('a')), message('user', result('a'))]
    const later = [message('assistant', text('Done.')), user]
    expect(rulesBrokenBy([...messages, ...later], budget)).toEqual([])
    expect(rulesBrokenBy(messages, budget)).toEqual([
      'anthropic/thinking-first messages.1.content.0',
    ])
  })

  it('is asked for neither when it is adaptive nor of models that nobody knows', () => {
    const messages = [user, message('assistant', used('a')), message('user', result('a'))]
    expect(rulesBrokenBy(messages, { thinking: { type: 'adaptive' } })).toEqual([])
    expect(rulesBrokenBy(messages, { ...budget, model: 'glm-5' })).toEqual([])
  })

  it('may be redacted', () => {
    const redacted = { type: 'redacted_thinking', data: 'sealed' }
    const messages = [user, message('assistant', redacted, used('a')), message('user', result('a'))]
    expect(rulesBrokenBy(messages, budget)).toEqual([])
  })
})

describe('the end of the conversation', () => {
  it('may be an answer that the provider paused, on models without prefill', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const paused = message('assistant', thinking, search, text('Searching.'))
    expect(rulesBrokenBy([user, paused], { model: 'claude-opus-5' })).toEqual([])
    expect(
      rulesBrokenBy([user, message('assistant', text('So'))], { model: 'claude-opus-5' }),
    ).toEqual(['anthropic/prefill-unsupported messages.1'])
  })
})

describe('markers', () => {
  const marked = { cache_control: { type: 'ephemeral' } }

  it('count inside tool results, and not where they are null', () => {
    const nested = { ...result('a'), content: [{ ...text('one'), ...marked }], ...marked }
    const messages = [user, message('assistant', used('a')), message('user', nested)]
    const system = [1, 2, 3].map(() => ({ ...text('s'), ...marked }))
    expect(rulesBrokenBy(messages, { system })).toEqual([
      'anthropic/cache-control-count messages.2.content.0.cache_control',
    ])
    const fewer = system.with(0, { ...text('s'), cache_control: null } as never)
    expect(rulesBrokenBy(messages, { system: fewer })).toEqual([])
  })
})

describe('the model in the options', () => {
  it('counts more than the one in the body', () => {
    const body = JSON.stringify({
      model: 'claude-opus-4-8',
      max_tokens: 10,
      messages: [user, { role: 'system', content: 'Be brief.' }],
    })
    expect(validate(body)).toEqual([])
    expect(validate(body, { model: 'claude-opus-4-7' })).toEqual([
      {
        rule: 'anthropic/system-role-unsupported',
        where: 'messages.1.role',
        message: "role 'system' is not supported on this model",
      },
    ])
  })
})

describe('a block', () => {
  it('needs a type, and one that this API has', () => {
    expect(
      rulesBrokenBy([message('user', {}, { type: 'input_text', text: 'x' }, text('Go on.'))]),
    ).toEqual([
      'anthropic/field-required messages.0.content.0.type',
      'anthropic/block-type messages.0.content.1',
    ])
  })
})
