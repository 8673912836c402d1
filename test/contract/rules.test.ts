import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BodyFormatName, ValidateOptions } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { rules } from './all-rules.ts'
import { anthropicCases } from './anthropic-cases.ts'
import { anthropicChangeCases } from './anthropic-change-cases.ts'
import { geminiCases } from './gemini-cases.ts'
import { openaiChatCases } from './openai-chat-cases.ts'
import { openaiResponsesCases } from './openai-responses-cases.ts'
import { bodyOf, formatOf, type RuleCase } from './rule-case.ts'

const cases: readonly RuleCase[] = [
  ...anthropicCases,
  ...anthropicChangeCases,
  ...openaiChatCases,
  ...openaiResponsesCases,
  ...geminiCases,
]

function optionsOf({ model }: RuleCase): ValidateOptions {
  return model === undefined ? {} : { model }
}

describe('every rule', () => {
  it('has exactly one pair of requests', () => {
    expect(cases.map(({ rule }) => rule).toSorted()).toEqual(rules.map(({ id }) => id).toSorted())
  })

  it('says what it is known from, and belongs to the format that its id names', () => {
    for (const rule of rules) {
      expect(rule.source).not.toBe('')
      expect(rule.id.startsWith(`${rule.format}/`)).toBe(true)
    }
  })

  it.each(cases.map((each) => [each.rule, each] as const))('%s', (_name, each) => {
    const format = bodyFormats[formatOf(each.rule)]
    const options = optionsOf(each)
    const { rule, where, message } = each
    const check = (body: unknown): unknown =>
      each.scope === 'request'
        ? format.validate(bodyOf(body), options)
        : format.validateChange(bodyOf(each.before), bodyOf(body), options)
    expect(check(each.broken)).toEqual([{ rule, where, message }])
    expect(check(each.kept)).toEqual([])
  })

  it('has a twin that breaks no rule of a single request either, where a change is at stake', () => {
    for (const each of cases) {
      if (each.scope !== 'change') continue
      const format = bodyFormats[formatOf(each.rule)]
      expect([each.rule, format.validate(bodyOf(each.kept), optionsOf(each))]).toEqual([
        each.rule,
        [],
      ])
    }
  })

  it('is found in a rewritten request that breaks it, and in no other', () => {
    for (const each of cases) {
      const format = bodyFormats[formatOf(each.rule)]
      const options = optionsOf(each)
      const broken = bodyOf(each.broken)
      const original = bodyOf(each.scope === 'change' ? each.before : each.kept)
      const isPrefix = each.rule.endsWith('/prefix-changed')
      // What precedes reasoning is compared with the last rewritten request, not with the original.
      const found = isPrefix
        ? format.validateRewrite(broken, broken, { ...options, sentBefore: original })
        : format.validateRewrite(original, broken, options)
      const changes = format.validateChange(original, broken, options)
      const expected = each.scope === 'change' ? each.rule : (changes[0]?.rule ?? each.rule)
      expect([each.rule, found?.rule]).toEqual([each.rule, expected])
      expect(format.validateRewrite(broken, broken, options)).toBeNull()
    }
  })

  it('is fulfilled by a request that did not change', () => {
    for (const each of cases) {
      const body = bodyOf(each.scope === 'change' ? each.before : each.broken)
      expect(bodyFormats[formatOf(each.rule)].validateChange(body, body, optionsOf(each))).toEqual(
        [],
      )
    }
  })
})

describe.each(Object.values(bodyFormats))('$name, on anything at all', (format) => {
  const models = fc.constantFrom('claude-opus-5-5', 'claude-sonnet-4-5', 'gemini-3-pro', 'gpt-5.5')
  const shapes = fc.constantFrom(...cases.map((each) => bodyOf(each.broken)))

  it('gives an answer, and the same one again', () => {
    const garbage = fc.oneof(fc.json(), fc.string(), fc.uint8Array(), almostRequests(), shapes)
    fc.assert(
      fc.property(garbage, garbage, models, (one, other, model) => {
        const first = format.validate(one, { model })
        expect(format.validate(one, { model })).toEqual(first)
        const changed = format.validateChange(one, other, { model })
        expect(format.validateChange(one, other, { model })).toEqual(changed)
      }),
      { numRuns: 300 },
    )
  })

  it('takes bytes and text alike', () => {
    fc.assert(
      fc.property(shapes, (body) => {
        expect(format.validate(new TextEncoder().encode(body))).toEqual(format.validate(body))
      }),
    )
  })

  it('survives nesting and lists that would exhaust a stack', () => {
    const deep = `{"messages":[{"role":"user","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`
    const list = (entry: string): string => `[${Array(130_000).fill(entry).join(',')}]`
    const long = {
      anthropic: `{"model":"claude-sonnet-4-5","messages":[{"role":"assistant","content":${list('{"type":"thinking"}')}}]}`,
      'openai-chat': `{"messages":${list('{"role":"tool"}')}}`,
      'openai-responses': `{"input":${list('{"role":"tool"}')}}`,
      gemini: `{"contents":${list('{}')}}`,
    }[format.name as BodyFormatName]
    for (const body of [deep, long]) {
      expect(Array.isArray(format.validate(body))).toBe(true)
      expect(format.validateChange(body, body)).toEqual([])
    }
  })
})

/** Requests whose fields have the right names and anything below them. */
function almostRequests(): fc.Arbitrary<string> {
  const role = fc.constantFrom('user', 'assistant', 'tool', 'model', 'system')
  const type = fc.constantFrom(
    'text',
    'tool_use',
    'tool_result',
    'thinking',
    'reasoning',
    'message',
  )
  const id = fc.constantFrom('a', 'b', 'toolu_1', '')
  const block = fc.record(
    { type, id, tool_use_id: id, call_id: id, text: fc.string(), functionCall: fc.anything() },
    { requiredKeys: [] },
  )
  const message = fc.record(
    {
      role,
      type,
      id,
      content: fc.oneof(fc.array(block), fc.string(), fc.anything()),
      parts: fc.oneof(fc.array(block), fc.anything()),
      tool_calls: fc.oneof(fc.array(block), fc.anything()),
    },
    { requiredKeys: [] },
  )
  const list = fc.oneof(fc.array(message), fc.anything())
  return fc
    .record({ messages: list, contents: list, input: list, system: fc.anything(), tools: list })
    .map((body) => {
      // Arbitrary values may hold what JSON cannot.
      try {
        return JSON.stringify(body) ?? 'null'
      } catch {
        return '{}'
      }
    })
}

it.each(['__proto__', 'constructor', 'toString'])(
  'a block of the type %s, which every object has, is no crash',
  (type) => {
    const anthropicBody = { model: 'm', messages: [{ role: 'user', content: [{ type }] }] }
    const responsesBody = { model: 'm', input: [{ type }] }
    expect(Array.isArray(bodyFormats.anthropic.validate(JSON.stringify(anthropicBody)))).toBe(true)
    expect(
      Array.isArray(bodyFormats['openai-responses'].validate(JSON.stringify(responsesBody))),
    ).toBe(true)
  },
)
