import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../../src/core/words/item.ts'
import type { ItemChange, RequestRead } from '../../src/formats/format.ts'
import { objectFormats } from './formats-of-lists.ts'
import { objectSamples } from './object-samples.ts'

type List = readonly unknown[]

/** Freezes all that can be frozen, so that touching the input is an error. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (ArrayBuffer.isView(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

interface Place {
  readonly message: number
  readonly item: number
}

function placesOf(read: RequestRead<List>): readonly Place[] {
  return read.messages.flatMap(({ items }, message) => items.map((_, item) => ({ message, item })))
}

function itemAt(read: RequestRead<List>, place: Place): ItemDraft {
  return read.messages[place.message]!.items[place.item]!
}

/** Every path at which two values differ; equal objects are not looked into. */
function differences(one: unknown, other: unknown, path = ''): readonly string[] {
  if (one === other) return []
  if (!isRecord(one) || !isRecord(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

describe.each(Object.values(objectFormats))('$name', (format) => {
  const sample = deepFreeze(objectSamples[format.name as keyof typeof objectSamples])
  const prefixes = fc.nat(sample.length).map((length) => sample.slice(0, length))

  it('reads its sample whole, and finds nothing wrong with it', () => {
    const read = format.read(sample)
    expect({ problem: read.problem, messages: read.messages.length, shared: read.shared }).toEqual({
      problem: null,
      messages: sample.length,
      shared: 0,
    })
    expect(format.validate(sample)).toEqual([])
    expect(format.validateChange(sample, sample)).toEqual([])
  })

  it('gives the very same list back when nothing changes', () => {
    const read = format.read(sample)
    expect(format.rewrite(read, [])).toEqual({ source: sample, refused: [] })
    expect(format.rewrite(read, []).source).toBe(sample)
    const same = placesOf(read)
      .filter((place) => itemAt(read, place).opaque !== true && itemAt(read, place).text !== '')
      .filter((place) => itemAt(read, place).kind !== 'attachment')
      .map((place) => ({ ...place, text: itemAt(read, place).text }))
    expect(same.length).toBeGreaterThan(5)
    expect(format.rewrite(read, same)).toEqual({ source: sample, refused: [] })
    expect(format.rewrite(read, same).source).toBe(sample)
  })

  it('shows the new text where a change was made, and nothing else differently', () => {
    const read = format.read(sample)
    const done = new Set<string>()
    for (const place of placesOf(read)) {
      const item = itemAt(read, place)
      const change = { ...place, text: '{"new":"text"}' }
      const { source, refused } = format.rewrite(read, [change])
      if (refused.length > 0) {
        expect(source).toBe(sample)
        continue
      }
      done.add(item.kind)
      const isMerged = item.kind === 'attachment' && item.call !== undefined
      if (isMerged) continue
      const expected = read.messages.map((message, index) => ({
        ...message,
        items: message.items.map((each, at) => {
          if (index !== place.message || at !== place.item) return each
          if (each.kind === 'attachment') return { kind: 'text', text: change.text }
          return { ...each, text: change.text }
        }),
      }))
      expect(format.read(source).messages).toEqual(expected)
      expect(format.validate(source)).toEqual([])
    }
    expect(done).toEqual(new Set(['text', 'reasoning', 'call', 'result', 'attachment']))
  })

  it('shares all messages and parts that did not change with the old list', () => {
    const read = format.read(sample)
    for (const place of placesOf(read)) {
      const { source } = format.rewrite(read, [{ ...place, text: '{"new":"text"}' }])
      if (source === sample) continue
      const paths = new Set(
        differences(sample, source).map((path) => path.split('.').slice(0, 4).join('.')),
      )
      expect(paths.size).toBe(1)
      for (const [index, message] of source.entries()) {
        if (index !== place.message) expect(message).toBe(sample[index])
      }
    }
  })

  it('says what a rewrite keeps: nothing of its own is a forbidden change, but for prose of the user', () => {
    const read = format.read(sample)
    for (const place of placesOf(read)) {
      for (const text of ['{"new":"text"}', null]) {
        const { source } = format.rewrite(read, [{ ...place, text }])
        const { role } = read.messages[place.message]!
        const isProse =
          itemAt(read, place).kind === 'text' && (role === 'user' || role === 'system')
        const broken = format.validateChange(sample, source).map(({ rule }) => rule)
        expect(broken).toEqual(isProse && text !== null ? [`${format.name}/user-text-changed`] : [])
      }
    }
  })

  it('carries out any set of changes as it would each of them alone', () => {
    const read = format.read(sample)
    const places = placesOf(read)
    const change = fc
      .tuple(fc.constantFrom(...places), fc.option(fc.constantFrom('{"a":1}', '{"b":2}', 'c', '')))
      .map(([place, text]): ItemChange => ({ ...place, text }))
    fc.assert(
      fc.property(fc.uniqueArray(change, { selector: keyOf, maxLength: 12 }), (changes) => {
        const together = format.rewrite(read, changes)
        const kept = changes.filter(
          (each) => !together.refused.some((refused) => refused.change === each),
        )
        for (const { change: alone, reason } of together.refused) {
          if (reason === 'the message would become empty') continue
          expect(format.rewrite(read, [alone]).refused).toEqual([{ change: alone, reason }])
        }
        const after = format.read(together.source)
        expect(after.problem).toBeNull()
        const texts = after.messages.flatMap(({ items }) => items.map(({ text }) => text))
        for (const { text } of kept) {
          if (text !== null) expect(texts.some((each) => each.includes(text))).toBe(true)
        }
        const reversed = format.rewrite(read, changes.toReversed())
        if (together.refused.length === 0) expect(reversed.source).toEqual(together.source)
      }),
    )
  })

  it('removes reasoning whole', () => {
    const read = format.read(sample)
    const reasoning = placesOf(read).filter((place) => itemAt(read, place).kind === 'reasoning')
    const { source, refused } = format.rewrite(
      read,
      reasoning.map((place) => ({ ...place, text: null })),
    )
    expect(refused).toEqual([])
    const items = format.read(source).messages.flatMap((message) => message.items)
    const before = read.messages.flatMap((message) => message.items)
    expect(items).toEqual(before.filter(({ kind }) => kind !== 'reasoning'))
  })

  it('refuses what it cannot do, with the reason', () => {
    const read = format.read(sample)
    const find = (test: (item: ItemDraft) => boolean): Place =>
      placesOf(read).find((place) => test(itemAt(read, place)))!
    const text = find(({ kind }) => kind === 'text')
    const signed = find((item) => item.kind === 'reasoning' && item.binding === 'signed')
    const opaque = find((item) => item.opaque === true)
    const call = find((item) => item.kind === 'call')
    const changes: readonly (readonly [ItemChange, string])[] = [
      [{ message: 99, item: 0, text: 'x' }, 'there is no such item'],
      [{ message: 0, item: -1, text: 'x' }, 'there is no such item'],
      [{ ...text, text: '' }, 'an empty text is not allowed'],
      [{ ...text, text: null }, 'only reasoning and markers can be removed'],
      [{ ...signed, text: 'x' }, 'the reasoning is signed: it stays whole or goes whole'],
      [{ ...opaque, text: 'x' }, 'the item belongs to the provider'],
      [{ ...opaque, text: null }, 'the item belongs to the provider'],
      [{ ...call, text: 'not JSON' }, 'the input must be a JSON object'],
      [{ ...call, text: '[1]' }, 'the input must be a JSON object'],
    ]
    for (const [change, reason] of changes) {
      expect(format.rewrite(read, [change])).toEqual({
        source: sample,
        refused: [{ change, reason }],
      })
    }
    const twice = [
      { ...call, text: '{"a":1}' },
      { ...call, text: '{"b":2}' },
    ]
    expect(format.rewrite(read, twice).refused).toEqual([
      { change: twice[1], reason: 'the item is already changed by an earlier change' },
    ])
  })

  it('takes over what the read before has in common, from the same objects and from copies', () => {
    fc.assert(
      fc.property(prefixes, prefixes, fc.boolean(), (earlier, later, copied) => {
        const before = format.read(earlier)
        const source = copied ? copyOf(later) : later
        const read = format.read(source, before)
        const common = Math.min(earlier.length, later.length)
        expect(read).toEqual({ ...format.read(source), shared: common })
        for (let index = 0; index < common; index++) {
          expect(read.messages[index]).toBe(before.messages[index])
        }
      }),
    )
  })

  it('sees what the host changed in its own objects after they were read', () => {
    const list = copyOf(sample) as unknown[]
    const before = format.read(list)
    for (const place of placesOf(before)) {
      const { source } = format.rewrite(format.read(list), [{ ...place, text: '{"new":"text"}' }])
      if (source === list) continue
      const changed = [...list]
      Object.assign(changed, source)
      const read = format.read(changed, before)
      expect(read).toEqual({ ...format.read(changed), shared: place.message })
    }
    const text = before.messages.findIndex(({ items }) => items.some(({ kind }) => kind === 'text'))
    mutateFirstText(list[text])
    const read = format.read(list, before)
    expect(read.shared).toBe(text)
    expect(read.messages).toEqual(format.read(list).messages)
    expect(read.messages).not.toEqual(before.messages)
  })

  it('never throws, whatever it is given', () => {
    const shapes = fc.oneof(fc.anything({ withBigInt: true, withDate: true }), almostMessages())
    fc.assert(
      fc.property(
        fc.oneof(fc.array(shapes), fc.anything()),
        fc.array(shapes),
        fc.array(fc.record({ message: fc.nat(3), item: fc.nat(3), text: fc.option(fc.string()) })),
        (one, other, changes) => {
          const read = format.read(one as List)
          const { source } = format.rewrite(read, changes)
          format.validate(one as List)
          format.validateChange(one as List, source)
          format.validateChange(other, one as List)
          expect(format.read(one as List, format.read(other))).toEqual({
            ...read,
            shared: expect.any(Number),
          })
          expect(format.read(one as List, read).messages).toEqual(read.messages)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('says where it stopped when the objects themselves throw or have no end', () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    const loop: Record<string, unknown> = {
      role: 'assistant',
      info: { id: 'm', role: 'assistant' },
    }
    loop.content = [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: loop }]
    loop.parts = [
      { type: 'tool', callID: 'a', tool: 'b', state: { status: 'completed', input: loop } },
    ]
    const trap = {
      get role(): string {
        throw new Error('role')
      },
      get info(): string {
        throw new Error('info')
      },
    }
    const { proxy, revoke } = Proxy.revocable<unknown[]>([], {})
    revoke()
    let many: unknown = 'leaf'
    for (let level = 0; level < 40; level++) many = [many, many]
    const wide = {
      role: 'assistant',
      info: { id: 'm', role: 'assistant' },
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: many }],
      parts: [
        { type: 'tool', callID: 'a', tool: 'b', state: { status: 'completed', input: many } },
      ],
    }
    for (const list of [cyclic, [sample[0], loop], [sample[0], trap], [sample[0], wide], proxy]) {
      const read = format.read(list)
      expect(read.problem).not.toBeNull()
      const change = { message: 0, item: 0, text: 'x' }
      const reason = `the list is not understood from ${read.problem?.where} on`
      const { source, refused } = format.rewrite(read, [change])
      expect(source).toBe(list)
      expect(refused).toEqual([{ change, reason }])
      expect(format.validate(list)).not.toEqual([])
      expect(Array.isArray(format.validateChange(list, list))).toBe(true)
    }
    expect(format.read([sample[0], trap]).messages).toEqual(format.read([sample[0]]).messages)
    for (const nothing of [null, undefined, 'text', 7]) {
      expect(format.read(nothing as unknown as List).problem).toEqual({
        where: 'messages',
        message: 'expected a list of messages',
      })
    }
  })
})

function keyOf({ message, item }: ItemChange): string {
  return `${message}.${item}`
}

/** The list as a database would give it again: equal, and nothing of it the same object. */
function copyOf(value: unknown): List {
  const copy = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(copy)
    if (each instanceof URL) return new URL(each)
    if (each instanceof Uint8Array) return each.slice()
    if (!isRecord(each)) return each
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, copy(member)]))
  }
  return copy(value) as List
}

function mutateFirstText(message: unknown): void {
  const record = message as Record<string, unknown>
  const parts = record.parts ?? record.content
  if (typeof parts === 'string') record.content = 'changed in place'
  else (parts as { type: string; text: string }[]).find(({ type }) => type === 'text')!.text = 'now'
}

/** Messages whose members have the right names and anything below them. */
function almostMessages(): fc.Arbitrary<unknown> {
  const role = fc.constantFrom('user', 'assistant', 'tool', 'system', 'other')
  const type = fc.constantFrom('text', 'reasoning', 'tool', 'file', 'tool-call', 'tool-result')
  const id = fc.constantFrom('a', 'b', '')
  const anything = fc.anything()
  const output = fc.record(
    { type: fc.constantFrom('text', 'json', 'content', 'error-text'), value: anything },
    { requiredKeys: [] },
  )
  const state = fc.record(
    {
      status: fc.constantFrom('completed', 'error', 'pending', 'running'),
      input: anything,
      output: fc.oneof(fc.string(), anything),
      error: anything,
      attachments: fc.oneof(fc.array(anything), anything),
      time: anything,
      metadata: anything,
    },
    { requiredKeys: [] },
  )
  const part = fc.record(
    {
      type,
      text: fc.oneof(fc.string(), anything),
      toolCallId: id,
      toolName: id,
      callID: id,
      tool: id,
      input: anything,
      output: fc.oneof(output, anything),
      state: fc.oneof(state, anything),
      providerOptions: anything,
      metadata: anything,
      mime: fc.string(),
      url: anything,
      data: anything,
    },
    { requiredKeys: [] },
  )
  const parts = fc.oneof(fc.array(part), anything)
  return fc.record(
    {
      role,
      content: fc.oneof(fc.string(), parts),
      info: fc.oneof(fc.record({ id, role, tokens: anything, error: anything }), anything),
      parts,
    },
    { requiredKeys: [] },
  )
}
