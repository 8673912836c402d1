import { describe, expect, it } from 'vitest'
import { opencode } from './index.ts'
import * as rules from './rules.ts'

type List = readonly unknown[]

const time = { start: 1, end: 2 }
const user = (words = 'hello'): unknown => ({
  info: { id: 'msg_1', role: 'user' },
  parts: [{ id: 'prt_u', type: 'text', text: words }],
})
const assistant = (...parts: unknown[]): unknown => ({
  info: { id: 'msg_2', role: 'assistant' },
  parts,
})
const text = (words: string): unknown => ({ id: 'prt_t', type: 'text', text: words })
const thought = (words: string, signature: string): unknown => ({
  id: `prt_${signature}`,
  type: 'reasoning',
  text: words,
  metadata: { anthropic: { signature } },
})
const tool = (id: string, state: object = {}): unknown => ({
  id: `prt_${id}`,
  type: 'tool',
  tool: 'read',
  callID: id,
  state: { status: 'completed', input: {}, output: 'x', time, ...state },
})

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
    rule: 'opencode/not-a-list',
    broken: {} as unknown as List,
    kept: [],
    where: 'messages',
    message: 'the messages must be a list',
  },
  {
    rule: 'opencode/message-shape',
    broken: [user(), { info: { role: 'assistant' }, parts: [] }],
    kept: [user(), assistant()],
    where: 'messages.1',
    message: 'messages.1: a message has an info with an id and a role, and a list of parts',
  },
  {
    rule: 'opencode/part-shape',
    broken: [user(), assistant(text('a'), { type: 'tool', tool: 'read' })],
    kept: [user(), assistant(text('a'), { type: 'from-a-later-version' })],
    where: 'messages.1.parts.1',
    message: 'messages.1.parts.1: a part of the type tool needs a call id and a state',
  },
  {
    rule: 'opencode/state-shape',
    broken: [user(), assistant(tool('a', { output: undefined, time: undefined }))],
    kept: [user(), assistant(tool('a', { status: 'error', error: 'no', time: undefined }))],
    where: 'messages.1.parts.0.state',
    message:
      'messages.1.parts.0.state: a call that is completed needs the text "output" and a time',
  },
  {
    rule: 'opencode/call-id-repeated',
    broken: [user(), assistant(tool('a'), tool('a'))],
    kept: [user(), assistant(tool('a'), tool('b'))],
    where: 'messages.1.parts.1',
    message: 'messages.1.parts.1: the call id a is that of an earlier call in the same message',
  },
  {
    rule: 'opencode/messages-moved',
    before: [user(), assistant(text('a'))],
    broken: [assistant(text('a')), user()],
    kept: [user(), assistant(text('b')), user()],
    where: 'messages.0',
    message: 'messages.0: messages must stay, with their roles and in their order',
  },
  {
    rule: 'opencode/parts-moved',
    before: [user(), assistant({ type: 'step-start' }, text('a'), tool('b'))],
    broken: [user(), assistant({ type: 'step-start' }, text('a'))],
    kept: [user(), assistant(text('a'), tool('b'))],
    where: 'messages.1',
    message: 'messages.1: only reasoning and markers may go, and what stays keeps its order',
  },
  {
    rule: 'opencode/ids-changed',
    before: [user(), assistant(text('a'))],
    broken: [user(), assistant({ type: 'text', text: 'a', id: 'prt_x' })],
    kept: [user(), assistant(text('b'))],
    where: 'messages.1.parts.0',
    message: 'messages.1.parts.0: ids and the names of tools must stay',
  },
  {
    rule: 'opencode/user-text-changed',
    before: [user(), assistant(text('a'))],
    broken: [user('goodbye'), assistant(text('a'))],
    kept: [user(), assistant(text('b'))],
    where: 'messages.0.parts.0',
    message: 'messages.0.parts.0: text of the user must stay as it was',
  },
  {
    rule: 'opencode/signed-reasoning-altered',
    before: [user(), assistant(thought('one', 's1'), thought('two', 's2'), text('a'))],
    broken: [user(), assistant(thought('one', 's1'), thought('2', 's2'), text('a'))],
    kept: [user(), assistant(thought('two', 's2'), text('a'))],
    where: 'messages.1.parts.1',
    message:
      'messages.1.parts.1: reasoning that the provider signed or encrypted stays whole or goes whole',
  },
  {
    rule: 'opencode/opaque-changed',
    before: [user(), assistant(tool('a', { time: { ...time, compacted: 3 } }))],
    broken: [user(), assistant(tool('a'))],
    kept: [user(), assistant(tool('a', { input: { b: 1 }, time: { ...time, compacted: 3 } }))],
    where: 'messages.1.parts.0',
    message: 'messages.1.parts.0: what belongs to the provider must stay as it was',
  },
]

describe('the rules of OpenCode', () => {
  it('have one pair of lists each', () => {
    const known = Object.values(rules).flatMap((each) =>
      'id' in each ? [each.id] : Object.values(each).map(({ id }) => id),
    )
    expect(cases.map(({ rule }) => rule).sort()).toEqual(known.sort())
  })

  it.each(cases.map((each) => [each.rule, each] as const))('%s', (_name, each) => {
    const { before, rule, where, message } = each
    const check = (list: List): unknown =>
      before === undefined ? opencode.validate(list) : opencode.validateChange(before, list)
    expect(check(each.broken)).toEqual([{ rule, where, message }])
    expect(check(each.kept)).toEqual([])
  })
})
