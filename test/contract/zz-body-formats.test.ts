import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
(globalThis as any).fcAssert=(p:any,o:any={})=>fc.assert(p,{...o,numRuns:1500});
import { describe, expect, it } from 'vitest'
import type { Body, Format, ItemChange, RequestRead } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { bodySamples } from './body-samples.ts'
import { canonicalText, randomBody, spellOddly } from './random-bodies.ts'

const forms: readonly (readonly [string, (text: string) => Body])[] = [
  ['text', (text) => text],
  ['a Buffer', (text) => Buffer.from(text)],
  ['plain bytes', (text) => new TextEncoder().encode(text)],
]

const asText = (body: Body): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8')

const anatomyOf = (read: RequestRead<Body>): readonly string[] =>
  read.messages.map(({ items }) =>
    items.map((item) => (item.opaque === true ? `${item.kind}!` : item.kind)).join(' '),
  )

function* itemsOf(read: RequestRead<Body>): Generator<Omit<ItemChange, 'text'>> {
  for (const [message, { items }] of read.messages.entries()) {
    for (const item of items.keys()) yield { message, item }
  }
}

describe.each(bodySamples)('a $format body with everything in it', (sample) => {
  const format: Format<Body> = bodyFormats[sample.format]

  it.each(forms)('is read whole from %s', (_form, make) => {
    const read = format.read(make(sample.body))
    expect(read.problem).toBeNull()
    expect(anatomyOf(read)).toEqual(sample.anatomy)
  })

  it.each(forms)('comes back as the very same value without a change, as %s', (_form, make) => {
    const source = make(sample.body)
    const read = format.read(source)
    const rewritten = format.rewrite(read, [])
    expect(rewritten.source).toBe(source)
    expect(rewritten.refused).toEqual([])
  })

  it.each(forms)('differs in nothing but the changed item, as %s', (_form, make) => {
    const read = format.read(make(sample.body))
    for (const { spelled, respelled, ...change } of sample.changes) {
      expect(sample.body.split(spelled)).toHaveLength(2)
      const { source, refused } = format.rewrite(read, [change])
      expect(refused).toEqual([])
      expect(asText(source)).toBe(sample.body.replace(spelled, () => respelled))
      expect(Buffer.isBuffer(source)).toBe(Buffer.isBuffer(read.source))
      expect(typeof source).toBe(typeof read.source)
    }
  })

  it('takes many changes at once, whatever their order', () => {
    const read = format.read(sample.body)
    const changes: ItemChange[] = []
    for (const { message, item, text } of sample.changes) {
      if (!changes.some((other) => other.message === message && other.item === item)) {
        changes.push({ message, item, text })
      }
    }
    const { source, refused } = format.rewrite(read, changes)
    expect(refused).toEqual([])
    expect(format.rewrite(read, changes.toReversed())).toEqual({ source, refused })
    expect(format.read(source).problem).toBeNull()
    for (const { text } of changes) {
      if (text !== null)
        expect(JSON.stringify(format.read(source).messages)).toContain(
          JSON.stringify(text).slice(1, -1),
        )
    }
  })

  it('refuses what cannot be done, says why, and leaves the body alone', () => {
    const read = format.read(sample.body)
    const changes: ItemChange[] = [
      { message: 0, item: 0, text: '' },
      { message: 0, item: 0, text: null },
      { message: 99, item: 0, text: 'x' },
      { message: 0, item: -1, text: 'x' },
      { message: 0, item: 0.5, text: 'x' },
    ]
    for (const place of itemsOf(read)) {
      const item = read.messages[place.message]!.items[place.item]!
      if (item.opaque === true) changes.push({ ...place, text: 'x' }, { ...place, text: null })
      if (item.kind === 'reasoning' && item.binding !== 'plain')
        changes.push({ ...place, text: 'x' })
      if (item.kind === 'call' && item.text.startsWith('{')) {
        changes.push({ ...place, text: 'no JSON' }, { ...place, text: '[]' })
      }
    }
    const { source, refused } = format.rewrite(read, changes)
    expect(source).toBe(sample.body)
    expect(refused.map(({ change }) => change)).toEqual(changes)
    for (const { reason } of refused) expect(reason).toMatch(/\w+ \w+/)
  })

  it('refuses the second change of one item', () => {
    const [first] = sample.changes
    const { message, item } = first!
    const second: ItemChange = { message, item, text: 'other' }
    const read = format.read(sample.body)
    const alone = format.rewrite(read, [{ message, item, text: first!.text }])
    const both = format.rewrite(read, [{ message, item, text: first!.text }, second])
    expect(both.source).toEqual(alone.source)
    expect(both.refused.map(({ change }) => change)).toEqual([second])
  })

  it('can be rewritten from a copy of its read', () => {
    const read = format.read(sample.body)
    const { message, item, text } = sample.changes[0]!
    const copied = { ...read }
    expect(format.rewrite(copied, [{ message, item, text }])).toEqual(
      format.rewrite(read, [{ message, item, text }]),
    )
  })

  it('is never changed when its bytes are not valid UTF-8', () => {
    const bytes = Buffer.from(sample.body)
    const at = bytes.lastIndexOf('}') - 3
    bytes[at] = 0xff
    const read = format.read(bytes)
    expect(read.problem).toEqual({ where: `offset ${at}`, message: 'not valid UTF-8' })
    const change: ItemChange = { message: 0, item: 0, text: 'x' }
    const { source, refused } = format.rewrite(read, [change])
    expect(source).toBe(bytes)
    expect(refused.map((one) => one.change)).toEqual([change])
  })
})

describe.each(Object.values(bodyFormats))('any $name body', (format) => {
  const name = format.name as keyof typeof bodyFormats
  const spelled = fc.tuple(randomBody(name), fc.option(fc.integer())).map(([body, seed]) => {
    const text = canonicalText(name, body)
    return seed === null ? text : spellOddly(text, seed)
  })
  const anyForm = fc.constantFrom(...forms.map(([, make]) => make))

  it('shows a new text where it was put, and everything else as it was', () => {
    (globalThis as any).fcAssert(
      fc.property(
        spelled,
        anyForm,
        fc.nat(),
        fc.string({ minLength: 1 }),
        (text, make, pick, words) => {
          const read = format.read(make(text))
          expect(read.problem).toBeNull()
          const places = [...itemsOf(read)]
          const place = places[pick % places.length]
          if (place === undefined) return
          const before = read.messages[place.message]!.items[place.item]!
          const change = {
            ...place,
            text: before.kind === 'call' ? JSON.stringify({ words }) : words,
          }
          const { source, refused } = format.rewrite(read, [change])
          if (refused.length > 0) return
          const again = format.read(source)
          expect(again.problem).toBeNull()
          const expected = read.messages.map(({ role, items }, message) => ({
            role,
            items: items.map((item, index) => {
              if (message !== place.message || index !== place.item) return item
              if (item.kind === 'attachment' && item.call === undefined) {
                return { kind: 'text', text: change.text }
              }
              return { ...item, text: change.text }
            }),
          }))
          if (before.kind === 'attachment' && before.call !== undefined) return
          expect(again.messages).toEqual(expected)
          expect({ ...again, messages: [], source: '' }).toEqual({
            ...read,
            messages: [],
            source: '',
          })
        },
      ),
    )
  })

  it('keeps no trace of a change that was followed by another', () => {
    (globalThis as any).fcAssert(
      fc.property(spelled, anyForm, fc.nat(), (text, make, pick) => {
        const read = format.read(make(text))
        const places = [...itemsOf(read)].filter(
          ({ message, item }) => read.messages[message]!.items[item]!.kind !== 'attachment',
        )
        const place = places[pick % places.length]
        if (place === undefined) return
        const once = format.rewrite(read, [{ ...place, text: '{"a":1}' }])
        const twice = format.rewrite(format.read(once.source), [{ ...place, text: '{"b":2}' }])
        expect(twice).toEqual(format.rewrite(read, [{ ...place, text: '{"b":2}' }]))
      }),
    )
  })

  it('gets its own bytes back when a change is undone', () => {
    (globalThis as any).fcAssert(
      fc.property(randomBody(name), anyForm, fc.nat(), (body, make, pick) => {
        const source = make(canonicalText(name, body))
        const read = format.read(source)
        const places = [...itemsOf(read)].filter(({ message, item }) => {
          const { kind } = read.messages[message]!.items[item]!
          return kind === 'text' || kind === 'call'
        })
        const place = places[pick % places.length]
        if (place === undefined) return
        const { text } = read.messages[place.message]!.items[place.item]!
        const there = format.rewrite(read, [{ ...place, text: '{"x":0}' }])
        const back = format.rewrite(format.read(there.source), [{ ...place, text }])
        expect([...there.refused, ...back.refused]).toEqual([])
        expect(back.source).toEqual(source)
      }),
    )
  })

  it('is the same message wherever its cache marker stands', () => {
    (globalThis as any).fcAssert(
      fc.property(randomBody(name), (body) => {
        const marked = {
          ...body,
          elements: body.elements.map((element) => withMarker(element)),
        }
        expect(format.read(canonicalText(name, marked)).messages).toEqual(
          format.read(canonicalText(name, body)).messages,
        )
      }),
    )
  })
})

/** The element with a cache marker on the last block of its content or parts. */
function withMarker(element: unknown): unknown {
  const { content, ...rest } = element as Record<string, unknown>
  const last = Array.isArray(content) ? content.at(-1) : undefined
  if (!Array.isArray(content) || last === undefined) return element
  const marked = { ...last, cache_control: { type: 'ephemeral' } }
  return { ...rest, content: [...content.slice(0, -1), marked] }
}
