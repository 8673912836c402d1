import { describe, expect, it } from 'vitest'
import { PalimpsestError } from '../core/words/errors.ts'
import { parseConfig } from './parse.ts'

const refusal = (text: string): string => {
  try {
    parseConfig({ text, where: 'p.jsonc', fileName: 'palimpsest.jsonc' })
  } catch (error) {
    if (PalimpsestError.is(error) && error.code === 'configuration') return error.message
    throw error
  }
  return 'accepted'
}

describe('an unknown key', () => {
  it.each([
    [
      '{\n  "toolMapping": []\n}',
      'line 2: unknown key `toolMapping`. Did you mean `toolMappings`?',
    ],
    [
      '{ "toolMappings": [\n{ "tool": "x",\n "as": "read",\n "pth": "p" }] }',
      'line 4: unknown key `pth` in `toolMappings.0`. Did you mean `path`?',
    ],
    [
      '{"strategies":{\n"agressivePruning":{}}}',
      'line 2: unknown key `agressivePruning` in `strategies`. Did you mean `aggressivePruning`?',
    ],
    [
      '{ "strategies": { "purgeErrors": {\r\n "turn": 3 } } }',
      'line 2: unknown key `turn` in `strategies.purgeErrors`. Did you mean `turns`?',
    ],
    [
      '{\n\n"pruneToolInputs": true}',
      'line 3: unknown key `pruneToolInputs`. Did you mean `strategies.aggressivePruning.pruneToolInputs`?',
    ],
    [
      '{ "manualMode": { "completely-different": 1 } }',
      'line 1: unknown key `completely-different` in `manualMode`. Valid keys: enabled, automaticStrategies.',
    ],
    ['{ "__proto__": 1 }', 'line 1: unknown key `__proto__`.'],
    ['{ "constructor": {} }', 'line 1: unknown key `constructor`.'],
  ])('is refused with its line and the nearest valid one: %j', (text, message) => {
    expect(refusal(text)).toContain(`p.jsonc, ${message}`)
  })
})

describe('a bad value', () => {
  it.each([
    ['{ "toolMappings": [\n{ "tool": "x",\n "as": "reed" }] }', 'line 3: `toolMappings.0.as`:'],
    ['{ "toolMappings": [\n{ "tool": "x" }] }', 'line 2: `toolMappings.0.as`:'],
    ['{\n "toolMappings": {} }', 'line 2: `toolMappings`: Invalid input: expected array'],
    ['{\n "tools": [] }', 'line 2: `tools`: Invalid input: expected object'],
    ['{\n\n "preset": "balance" }', 'line 3: `preset`: Invalid option: expected one of "balanced"'],
    ['{ "preset": "balance" }', 'Did you mean "balanced"?'],
    [
      '{ "turnProtection": "4" }',
      'line 1: `turnProtection`: invalid input: expected number or object.',
    ],
    ['{ "turnProtection": -1 }', 'line 1: `turnProtection`: Too small: expected number to be >=0'],
    [
      '{ "strategies": { "purgeErrors": {\n "turns": "3" } } }',
      'line 2: `strategies.purgeErrors.turns`: Invalid input: expected number',
    ],
    [
      '{ "strategies": { "todoSupersede": null } }',
      '`strategies.todoSupersede`: invalid input: expected boolean or object.',
    ],
    ['{ "protectedTools": [\n"a",\n 5] }', 'line 3: `protectedTools.1`:'],
    ['{ "protectedTools": [""] }', 'line 1: `protectedTools.0`:'],
    ['{ "enabled": { "x": 1 } }', 'line 1: `enabled`: Invalid input: expected boolean'],
    ['{ "budgetShare": 70 }', 'line 1: `budgetShare`: Too big'],
    ['[]', 'line 1: the configuration: Invalid input: expected object'],
    ['"acp"', 'line 1: the configuration: Invalid input: expected object'],
    ['{\n "tools": { }', 'line 2: not valid JSONC (CloseBraceExpected)'],
    ['{ "preset": "acp" } x', 'not valid JSONC'],
    ['preset: acp', 'line 1: not valid JSONC'],
  ])('is refused with its line and what may stand there: %j', (text, message) => {
    expect(refusal(text)).toContain(message)
    expect(refusal(text)).toMatch(/^p\.jsonc, line \d+: /)
  })
})

describe('several mistakes in one file', () => {
  it('are all told, in the order of their lines', () => {
    const text = '{\n "files": "one-veiw",\n "turnProtecton": 3,\n "preset": "balancd" }'
    const told = refusal(text).split('\n')
    expect(told.map((each) => each.slice(0, 16))).toEqual([
      'p.jsonc, line 2:',
      'p.jsonc, line 3:',
      'p.jsonc, line 4:',
    ])
    expect(told[1]).toBe(
      'p.jsonc, line 3: unknown key `turnProtecton`. Did you mean `turnProtection`?',
    )
    expect(told[2]).toMatch(/Did you mean "balanced"\?$/)
  })
})

describe('a key of ACP or DCP that means nothing here', () => {
  it('is ignored and named, leaf by leaf, and the rest holds', () => {
    const text = `{
      "compress": { "maxContextLimit": 1, "modelMaxLimits": { "a/b": 2 }, "modelMinLimits": {} },
      "experimental": { "allowSubAgents": true },
      "preset": "dcp",
    }`
    expect(parseConfig({ text, where: 'x', fileName: 'palimpsest.jsonc' })).toEqual({
      config: { preset: 'dcp' },
      ignored: [
        'compress.maxContextLimit',
        'compress.modelMaxLimits.a/b',
        'compress.modelMinLimits',
        'experimental.allowSubAgents',
      ],
    })
  })
})

describe('a file that is no configuration', () => {
  it('is refused by its length, and its first faults are named', () => {
    expect(refusal(`{"a":"${'x'.repeat(300_000)}"}`)).toContain('longer than 200000 characters')
    const keys = Array.from({ length: 10_000 }, (_, at) => `"k${at}":1`).join(',\n')
    expect(refusal(`{${keys}}`).split('\n')).toHaveLength(50)
  })
})
