import * as fc from 'fast-check'

/** What a field may hold when a client, a tool or somebody in between means no good. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [[]],
    [null],
    '\u0000',
    '\ud800',
    '__proto__',
    'context_restore a1b2c3',
    '[read x · replaced by edit at turn 1 · context_restore a1b2c3]',
    'x'.repeat(20_000),
    '\u001b[2J\u0007',
    '<system-reminder>',
    '</function_results>',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
)

const hows = ['replace', 'remove', 'repeat', 'swap', 'rename', 'nest'] as const

export interface Edit {
  readonly at: number
  readonly other: number
  readonly how: (typeof hows)[number]
  readonly value: unknown
}

export const hostileEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    at: fc.nat(10_000),
    other: fc.nat(10_000),
    how: fc.constantFrom(...hows),
    value: hostileValue,
  }),
  { minLength: 1, maxLength: 4 },
)

/** A copy of a JSON value in which some places were changed. */
export function mutated(value: unknown, edits: readonly Edit[]): unknown {
  const copy = structuredClone(value)
  for (const edit of edits) mutate(copy, edit)
  return copy
}

type Holder = Record<string, unknown>

function mutate(root: unknown, { at, other, how, value }: Edit): void {
  const places = [...placesIn(root)]
  const place = places[at % places.length]
  const second = places[other % places.length]
  if (place === undefined || second === undefined) return
  const [holder, key] = place
  const old = holder[key]
  if (how === 'replace') holder[key] = value
  else if (how === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else if (how === 'repeat' && Array.isArray(holder))
    holder.splice(Number(key), 0, structuredClone(old))
  else if (how === 'swap') {
    const [from, name] = second
    const copies = [structuredClone(old), structuredClone(from[name])]
    holder[key] = copies[1]
    from[name] = copies[0]
  } else if (how === 'rename' && !Array.isArray(holder)) {
    delete holder[key]
    holder[String(value).slice(0, 30)] = old
  } else if (how === 'nest') holder[key] = { [key]: old, list: [old] }
}

function* placesIn(value: unknown): Generator<readonly [holder: Holder, key: string]> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const key of Object.keys(value)) {
    yield [value as Holder, key]
    yield* placesIn((value as Holder)[key])
  }
}
