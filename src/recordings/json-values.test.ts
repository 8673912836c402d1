import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonValues } from './json-values.ts'
import { TextLines } from './text-lines.ts'

interface Framed {
  readonly values: readonly (readonly [unknown, number])[]
  readonly damaged: readonly number[]
}

function frame(chunks: readonly (Uint8Array | string)[]): Framed {
  const values: [unknown, number][] = []
  const damaged: number[] = []
  const framing = new JsonValues({
    value: (value, line) => values.push([value, line]),
    damage: (line) => damaged.push(line),
  })
  const lines = new TextLines((line) => framing.line(line))
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  framing.end()
  return { values, damaged }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('framing JSON values', () => {
  it('reads a value a line and knows the lines', () => {
    expect(frame(['{"a":1}\n\n[2]\n'])).toEqual({
      values: [
        [{ a: 1 }, 1],
        [[2], 3],
      ],
      damaged: [],
    })
  })

  it('splits two values that stand on one line', () => {
    expect(frame(['{"a":"}{"}{"b":[1]} {"c":"\\\\"}\n{"d":1}'])).toEqual({
      values: [
        [{ a: '}{' }, 1],
        [{ b: [1] }, 1],
        [{ c: '\\' }, 1],
        [{ d: 1 }, 2],
      ],
      damaged: [],
    })
  })

  it('reads pretty-printed values one after another', () => {
    const first = { a: [{ b: 'x{"' }, {}], c: null }
    const second = [1, { d: '\n' }]
    const text = `${JSON.stringify(first, null, 2)}\n${JSON.stringify(second, null, 2)}`
    expect(frame([text])).toEqual({
      values: [
        [first, 1],
        [second, 10],
      ],
      damaged: [],
    })
  })

  it('reads an array whose elements stand at the start of their lines', () => {
    expect(frame(['[\n{"a":1},\n{"b":2}\n]\n{"c":3}'])).toEqual({
      values: [
        [[{ a: 1 }, { b: 2 }], 1],
        [{ c: 3 }, 5],
      ],
      damaged: [],
    })
  })

  it('takes a byte order mark and Windows line ends', () => {
    expect(frame([encode('\uFEFF{"a":1}\r\n{"b":2}\r\n')])).toEqual({
      values: [
        [{ a: 1 }, 1],
        [{ b: 2 }, 2],
      ],
      damaged: [],
    })
    expect(frame(['\uFEFF{"a":1}']).values).toEqual([[{ a: 1 }, 1]])
  })

  it('reads UTF-16 where a byte order mark says so', () => {
    const bytes = Buffer.from('\uFEFF{"a":"ä"}\r\n{"b":"語"}', 'utf16le')
    expect(frame([bytes.subarray(0, 1), bytes.subarray(1, 12), bytes.subarray(12)]).values).toEqual(
      [
        [{ a: 'ä' }, 1],
        [{ b: '語' }, 2],
      ],
    )
  })

  it('reports a damaged line and goes on with the next', () => {
    const text = '{"a":1}\n{"b":tru}\n{"c":"cut\n{"d":4}\nplain words\n{"e":5}\n'
    expect(frame([text])).toEqual({
      values: [
        [{ a: 1 }, 1],
        [{ d: 4 }, 4],
        [{ e: 5 }, 6],
      ],
      damaged: [2, 3, 5],
    })
  })

  it.each(['{"a":{', '{"a":[', '{"a":1,', '{"a":'])(
    'does not let a line that was cut after %s swallow the ones behind it',
    (cut) => {
      expect(frame([`{"z":0}\n${cut}\n{"b":2}\n{"c":3}\n{"d":4}`])).toEqual({
        values: [
          [{ z: 0 }, 1],
          [{ b: 2 }, 3],
          [{ c: 3 }, 4],
          [{ d: 4 }, 5],
        ],
        damaged: [2],
      })
    },
  )

  it('finds the whole record that was written behind a cut one, on the same line', () => {
    expect(frame(['{"type":"user","text":"so far{"type":"user","text":"whole"}\n'])).toEqual({
      values: [[{ type: 'user', text: 'whole' }, 1]],
      damaged: [1],
    })
  })

  it('reports an unfinished last line, once', () => {
    expect(frame(['{"a":1}\n{"b":{"c":[1,'])).toEqual({ values: [[{ a: 1 }, 1]], damaged: [2] })
    expect(frame(['{\n  "a": 1,\n  "b": [\n    {}'])).toEqual({ values: [], damaged: [1] })
  })

  it('gives the same values however the bytes are cut into chunks', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).filter((json) => typeof json === 'object')
    const record = fc.record({
      value: value.map((json) => ({ json, é: '語😀' })),
      wide: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        (records, cuts, end) => {
          const texts = records.map((entry) =>
            JSON.stringify(entry.value, null, entry.wide ? 2 : 0).replaceAll('\n', end),
          )
          const bytes = encode(texts.join(end))
          const edges = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
          const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
          const { values, damaged } = frame(chunks)
          expect(values.map(([found]) => found)).toEqual(
            records.map((entry) => JSON.parse(JSON.stringify(entry.value))),
          )
          expect(damaged).toEqual([])
        },
      ),
    )
  })

  it('never throws, and loses no whole line that follows noise', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'{}[]",:\\a1 ') })), (noise) => {
        const { values } = frame([`${noise.join('\n')}\n{"last":1}\n{"last":2}`])
        expect(values.slice(-1)).toEqual([[{ last: 2 }, Math.max(noise.length, 1) + 2]])
      }),
    )
  })
})
