import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../src/core/words/json.ts'
import type { Body, BodyFormatName, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { bodySamples } from './body-samples.ts'
import { canonicalText, type RandomBody, randomBody, spellOddly } from './random-bodies.ts'

const forms = fc.constantFrom<(text: string) => Body>(
  (text) => text,
  (text) => Buffer.from(text),
)

const withoutShared = (read: RequestRead<Body>): unknown => ({ ...read, shared: 0 })

/** What a client might do to a conversation between two requests. */
const nextRequest = (name: BodyFormatName): fc.Arbitrary<(body: RandomBody) => RandomBody> =>
  fc.oneof(
    randomBody(name).map((more) => (body: RandomBody) => ({
      ...body,
      elements: [...body.elements, ...more.elements],
    })),
    fc.nat().map((count) => (body: RandomBody) => ({
      ...body,
      elements: body.elements.slice(0, count % (body.elements.length + 1)),
    })),
    fc.tuple(fc.nat(), randomBody(name)).map(([at, other]) => (body: RandomBody) => ({
      ...body,
      elements: body.elements.toSpliced(at % body.elements.length, 1, ...other.elements),
    })),
    randomBody(name).map((other) => (body: RandomBody) => ({ ...body, after: other.after })),
    randomBody(name).map((other) => (body: RandomBody) => ({ ...body, before: other.before })),
    randomBody(name).map((other) => () => other),
  )

/** What nobody should do to a text. */
const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))),
  fc
    .tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(...'"\\{}[],:0-e \n\u0001x', '', '"messages":[]'),
    )
    .map(([at, length, put]) => (text: string) => {
      const position = at % (text.length + 1)
      return text.slice(0, position) + put + text.slice(position + length)
    }),
)

describe.each(Object.values(bodyFormats))('reading $name again', (format) => {
  const name = format.name as BodyFormatName

  it('gives what a fresh read gives, whatever happened to the body in between', () => {
    fc.assert(
      fc.property(
        randomBody(name),
        nextRequest(name),
        forms,
        fc.option(fc.integer()),
        fc.option(damage),
        (body, change, make, seed, harm) => {
          const spell = (text: string): string => (seed === null ? text : spellOddly(text, seed))
          const before = spell(canonicalText(name, body))
          const whole = spell(canonicalText(name, change(body)))
          const after = make(harm === null ? whole : harm(whole))
          const previous = format.read(make(before))
          const again = format.read(after, previous)
          expect(withoutShared(again)).toEqual(withoutShared(format.read(after)))
          for (let index = 0; index < again.shared; index++) {
            expect(again.messages[index]).toBe(previous.messages[index])
          }
          expect(format.rewrite(again, [{ message: 0, item: 0, text: '{"a":1}' }])).toEqual(
            format.rewrite(format.read(after), [{ message: 0, item: 0, text: '{"a":1}' }]),
          )
        },
      ),
    )
  })

  it('takes over every message when the conversation only grew', () => {
    fc.assert(
      fc.property(randomBody(name), forms, (body, make) => {
        const user = name === 'gemini' ? { parts: [{ text: 'x' }] } : { role: 'user', content: 'x' }
        const grown = { ...body, elements: [...body.elements, user] }
        const previous = format.read(make(canonicalText(name, body)))
        const again = format.read(make(canonicalText(name, grown)), previous)
        expect(again.shared).toBe(previous.messages.length)
        expect(again.messages).toHaveLength(previous.messages.length + 1)
      }),
    )
  })

  it('does not look at the shared bytes again', () => {
    const element =
      name === 'gemini'
        ? '{"role":"user","parts":[{"text":"hello"}]}'
        : '{"role":"user","content":"hello"}'
    const key = { anthropic: 'messages', 'openai-chat': 'messages', gemini: 'contents' }
    const head = `{"${name === 'openai-responses' ? 'input' : key[name]}":[${element},${element}`
    const one = Buffer.from(`${head}]}`)
    const two = Buffer.from(`${head},${element}],"model":"m"}`)
    const previous = format.read(one)
    // Both are spoilt in the same way, which only somebody who reads them can notice.
    one.fill('!', 0, head.length - 1)
    two.fill('!', 0, head.length - 1)
    const { problem, shared, messages, model } = format.read(two, previous)
    expect({ problem, shared, count: messages.length, model }).toEqual({
      problem: null,
      shared: 2,
      count: 3,
      model: 'm',
    })
  })

  it('starts afresh after the read of another format or of another kind of body', () => {
    const sample = bodySamples.find((one) => one.format === name)!
    const bytes = Buffer.from(sample.body)
    const fresh = format.read(bytes)
    for (const other of Object.values(bodyFormats)) {
      const previous = other.read(other === format ? sample.body : bytes)
      expect(format.read(bytes, previous)).toEqual(fresh)
    }
  })
})

describe.each(Object.values(bodyFormats))('a damaged $name body', (format) => {
  const name = format.name as BodyFormatName

  it('never throws, is reported as no JSON exactly when it is none, and is passed on as it is', () => {
    fc.assert(
      fc.property(
        randomBody(name),
        forms,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (body, make, harms) => {
          const text = harms.reduce((spoilt, harm) => harm(spoilt), canonicalText(name, body))
          const source = make(text)
          const read = format.read(source)
          if (!isJsonObjectText(text)) {
            expect(read.problem).not.toBeNull()
            const change = { message: 0, item: 0, text: 'x' }
            const rewritten = format.rewrite(read, [change])
            expect(rewritten.source).toBe(source)
            expect(rewritten.refused).toHaveLength(1)
          } else expect(read.problem?.where ?? '').not.toMatch(/^offset/)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives the messages before the place where it was cut off', () => {
    const sample = bodySamples.find((one) => one.format === name)!
    const whole = format.read(sample.body)
    const counts = new Set<number>()
    for (let end = 0; end < sample.body.length; end++) {
      const { messages, problem } = format.read(sample.body.slice(0, end))
      expect(problem).toEqual({ where: `offset ${end}`, message: 'the text ends too early' })
      counts.add(messages.length)
    }
    expect([...counts]).toEqual([...whole.messages.keys(), whole.messages.length])
  })

  it('survives any JSON and any bytes', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array(), (json, bytes) => {
        const read = format.read(json)
        expect({ messages: read.messages, source: read.source }).toEqual({
          messages: [],
          source: json,
        })
        expect(format.rewrite(format.read(bytes), []).source).toBe(bytes)
      }),
    )
  })

  it.each(['[', '{"a":'])('does not overflow the stack on 100,000 times %s', (opening) => {
    const sample = bodySamples.find((one) => one.format === name)!
    const deep = opening.repeat(100_000)
    const closed = `${deep}1${(opening === '[' ? ']' : '}').repeat(100_000)}`
    const inMember = sample.body.replace('{', `{"deep":${closed},`)
    for (const body of [
      deep,
      closed,
      inMember,
      sample.body.replace('"text":', `"text":${closed},"y":`),
    ]) {
      const read = format.read(body)
      expect(read.problem?.where).toMatch(/^offset \d+$/)
      expect(format.rewrite(read, [{ message: 0, item: 0, text: 'x' }]).source).toBe(body)
    }
  })
})

function isJsonObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}
