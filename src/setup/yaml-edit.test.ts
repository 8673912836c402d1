import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PalimpsestError } from '../core/words/errors.ts'
import { parseYaml, withYamlValue } from './yaml-edit.ts'

const text = [
  '# mine',
  'models:',
  '  - name: One # the first',
  '    provider: anthropic',
  '    apiBase: "https://x.example/v1" # at the office',
  '  - name: Two',
  '    provider: openai',
  '',
].join('\r\n')
const at = (position: number) => ({ path: ['models', position], key: 'apiBase' })

describe('a string of a YAML file', () => {
  it('is replaced where it stands, and taken back with the bytes around it untouched', () => {
    const change = { ...at(0), was: 'https://x.example/v1', value: 'http://gateway' }
    const changed = withYamlValue(text, change)
    expect(changed).toBe(text.replace('"https://x.example/v1"', 'http://gateway'))
    const back = { ...at(0), was: change.value, value: change.was }
    expect(withYamlValue(changed ?? '', back)).toBe(text.replaceAll('"', ''))
  })

  it.each([
    ['with', text],
    ['without', text.trimEnd()],
  ])('is added on a line of its own, in a file %s a newline at its end', (_, given) => {
    const change = { ...at(1), was: null, value: 'http://gateway' }
    const changed = withYamlValue(given, change) ?? ''
    expect(changed).toContain(
      '  - name: Two\r\n    apiBase: http://gateway\r\n    provider: openai',
    )
    expect(withYamlValue(changed, { ...at(1), was: change.value, value: null })).toBe(given)
  })

  it('is not changed when the user has changed it, or where it is not on a line of its own', () => {
    const change = { ...at(0), was: 'https://other.example', value: 'http://gateway' }
    expect(withYamlValue(text, change)).toBeNull()
    const inOneLine = 'models: [{ name: One, provider: openai }]\n'
    expect(withYamlValue(inOneLine, { ...at(0), was: null, value: 'http://gateway' })).toBeNull()
    expect(withYamlValue('models: none\n', { ...at(0), was: null, value: 'x' })).toBeNull()
  })

  it.each([
    ['', ''],
    ['  ', '# none yet'],
  ])(
    'is set where the key has no value (%j and %j behind it), and taken back',
    (space, comment) => {
      const given = `models:\n  - name: One\n    apiBase:${space}${comment}\n    provider: openai\n`
      const change = { ...at(0), was: '', value: 'http://gateway' }
      const changed = withYamlValue(given, change) ?? ''
      expect(changed).toBe(given.replace('apiBase:', 'apiBase: http://gateway'))
      expect(withYamlValue(changed, { ...at(0), was: change.value, value: '' })).toBe(given)
      expect(withYamlValue(given, { ...change, was: null })).toBe(changed)
    },
  )

  it.each(['>-', '|-'])('is not changed in a value of several lines (%s)', (style) => {
    const given = `models:\n  - name: One\n    apiBase: ${style}\n      https://x.example/v1\n`
    const change = { ...at(0), was: 'https://x.example/v1', value: 'http://gateway' }
    expect(withYamlValue(given, change)).toBeNull()
    expect(withYamlValue(`${given}    provider: openai\n`, change)).toBeNull()
  })

  it('is added to an item that begins with an anchor, or with a value of several lines', () => {
    for (const first of ['&m name: a', 'name: >-\n        a\n        b']) {
      const given = `models:\n  - ${first}\n    provider: openai\n`
      const changed = withYamlValue(given, { ...at(0), was: null, value: 'http://gateway' })
      expect(changed).toBe(
        given.replace('    provider', '    apiBase: http://gateway\n    provider'),
      )
    }
  })

  it('is taken back without the dash of its item when the user has moved it to the front', () => {
    const moved = 'models:\n  - apiBase: http://gateway\n    name: One\n'
    const back = { ...at(0), was: 'http://gateway', value: null }
    expect(withYamlValue(moved, back)).toBe('models:\n  - name: One\n')
    expect(withYamlValue('models:\n  - apiBase: http://gateway\n', back)).toBeNull()
  })

  it('is not changed where another part of the file would change with it', () => {
    const shared = 'models:\n  - &one\n    name: One\n  - *one\n'
    expect(withYamlValue(shared, { ...at(0), was: null, value: 'http://gateway' })).toBeNull()
    const named = 'models:\n  - name: One\n    apiBase: &base http://x\nother: *base\n'
    expect(withYamlValue(named, { ...at(0), was: 'http://x', value: 'http://gateway' })).toBeNull()
  })

  it('gets quotes when it would mean something else without them', () => {
    const given = 'models:\n  - name: One\n    apiBase: http://gateway\n'
    for (const value of ['12', 'http://x #y', 'a: b', '~', '*x'])
      expect(
        parse(withYamlValue(given, { ...at(0), was: 'http://gateway', value }) ?? '').models,
      ).toEqual([{ name: 'One', apiBase: value }])
  })

  it('is reported with its file when the file has an alias without an anchor', () => {
    const given = 'models:\n  - name: One\n    apiBase: *base\n'
    expect(() => parseYaml(given, 'config.yaml')).toThrow(PalimpsestError)
    expect(() => parseYaml(given, 'config.yaml')).toThrow(/^config\.yaml: .*base/)
    expect(withYamlValue(given, { ...at(0), was: null, value: 'http://gateway' })).toBeNull()
  })
})

/** What stands behind a colon. `~` begins a further line, indented. */
const values = [
  ...[' a', ' b', ' c', ' d', " 'a # b'", ' "a: b"', ' &x a', ' *x', ' [chat, edit]', ' { a: 1 }'],
  ...['', '   ', ' # none', ' >-\n~a\n~b', ' |\n~a\n'],
]
const bases = [
  ...[' http://x/v1', '   http://x/v1', ' "http://x/v1"', " 'http://x/v1' # mine"],
  ...['', '  # mine', ' null', ' >-\n~http://x/v1'],
]
const document = fc
  .record({
    items: fc.array(
      fc.record({
        mark: fc.constantFrom('', '', '&m ', '&m\n'),
        others: fc.uniqueArray(
          fc.record({
            key: fc.constantFrom<string>('name', 'provider', '"model"', 'roles'),
            value: fc.constantFrom(...values),
          }),
          { minLength: 1, maxLength: 3, selector: ({ key }) => key },
        ),
        base: fc.option(fc.record({ value: fc.constantFrom(...bases), at: fc.nat(3) }), {
          freq: 2,
        }),
        comment: fc.constantFrom('', '', '# a comment', '\n'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    dash: fc.constantFrom('- ', '  - ', '-   '),
    tail: fc.constantFrom('', 'other: 1\n', '# the end\n', 'other: *m\n'),
    newline: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ items, dash, tail, newline, isEnded }) => {
    const indent = ' '.repeat(dash.length)
    const texts = items.map(({ mark, others, base, comment }) => {
      const keys =
        base === null ? others : others.toSpliced(base.at, 0, { key: 'apiBase', value: base.value })
      const lines = keys.map(({ key, value }) => `${key}:${value}`)
      const body = [...lines.slice(0, 1), ...(comment === '' ? [] : [comment]), ...lines.slice(1)]
        .join(`\n${indent}`)
        .replaceAll(/\n~/g, `\n${indent}  `)
      return `${dash}${mark.replace('\n', `\n${indent}`)}${body}\n`
    })
    const whole = `# mine\nmodels:\n${texts.join('')}${tail}`
    return (isEnded ? whole : whole.replace(/\n+$/, '')).replaceAll('\n', newline)
  })

describe('a string of any file', () => {
  it('is the only thing that changes, and nothing is left of it when it is taken back', () => {
    const counts = { changed: 0, added: 0, all: 0 }
    fc.assert(
      fc.property(document, fc.nat(2), (given, position) => {
        let config: Record<string, Record<string, unknown>[]>
        try {
          config = parse(given)
        } catch {
          return
        }
        const item = config.models?.[position]
        if (item === undefined) return
        counts.all++
        const { apiBase: base } = item
        const was = base === undefined ? null : base === null ? '' : String(base)
        const value = 'http://127.0.0.1:8787/via/x'
        const changed = withYamlValue(given, { ...at(position), was, value })
        if (changed === null) return
        counts[was === null ? 'added' : 'changed']++
        const expected = JSON.parse(JSON.stringify(config))
        expected.models[position].apiBase = value
        expect(parse(changed)).toEqual(expected)
        expect(withYamlValue(changed, { ...at(position), was: value, value })).toBe(changed)
        const back = withYamlValue(changed, { ...at(position), was: value, value: was })
        expect(parse(back ?? '')).toEqual(config)
        // A string that was in quotes, or a null that was written out, comes back plain.
        if (!/apiBase: *["'n]/.test(given)) expect(back).toBe(given)
      }),
      { numRuns: 3_000 },
    )
    expect(counts.added).toBeGreaterThan(counts.all / 5)
    expect(counts.changed).toBeGreaterThan(counts.all / 10)
  })
})
