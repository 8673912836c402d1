import { describe, expect, it } from 'vitest'
import type { ConfigFile } from './config.ts'
import { keyRules, projectPart } from './project-keys.ts'
import { allKeys } from './schema-keys.ts'

const paths = allKeys().map((path) => path.join('.'))

function ruleFor(path: string): string | undefined {
  const above = path.split('.').slice(0, -1).join('.')
  return keyRules[path] ?? (above === '' ? undefined : ruleFor(above))
}

describe('the rules for what a project may set', () => {
  it('cover every key of the schema, and nothing else', () => {
    const objects = new Set(paths.map((path) => path.split('.').slice(0, -1).join('.')))
    const values = paths.filter((path) => !objects.has(path) || keyRules[path] !== undefined)
    expect(values.filter((path) => ruleFor(path) === undefined)).toEqual([])
    expect(Object.keys(keyRules).filter((path) => !paths.includes(path))).toEqual([])
  })

  it('leave places, prices, memory and notices to the user', () => {
    const users = paths.filter((path) => !path.includes('.') && ruleFor(path) === 'user')
    expect(users.toSorted()).toEqual([
      'allowedHosts',
      'contextLimit',
      'delegateClears',
      'encryption',
      'gc',
      'limits',
      'log',
      'memory',
      'models',
      'pruneNotification',
      'regime',
      'store',
      'upstreams',
      'verify',
    ])
  })
})

describe('the part of a project’s file that holds', () => {
  const cases: readonly [string, ConfigFile, ConfigFile, ConfigFile, readonly string[]][] = [
    ['a store', { store: 'a.db' }, {}, {}, ['store']],
    ['a share of another host', { store: '\\\\host\\share' }, {}, {}, ['store']],
    ['a store in memory', { store: 'memory:' }, {}, {}, ['store']],
    ['no memory', { memory: { inject: false } }, {}, { memory: { inject: false } }, []],
    ['memory', { memory: { inject: true } }, {}, {}, ['memory.inject']],
    ['no record', { record: 'none' }, {}, { record: 'none' }, []],
    ['a record again', { record: 'full' }, { record: 'none' }, {}, ['record']],
    ['protections', { protectedTools: ['a'] }, {}, { protectedTools: ['a'] }, []],
    [
      'exceptions to protections',
      { protectedFilePatterns: ['a', '!**/.env'], tools: { settings: { protectedTools: ['!b'] } } },
      {},
      { protectedFilePatterns: ['a'], tools: { settings: { protectedTools: [] } } },
      ['protectedFilePatterns', 'tools.settings.protectedTools'],
    ],
    ['a preset', { preset: 'acp' }, { preset: 'verbose' }, { preset: 'acp' }, []],
    ['a preset where the user wants none', { preset: 'acp' }, { preset: 'off' }, {}, ['preset']],
    ['switching on', { enabled: true }, { enabled: false }, {}, ['enabled']],
    ['switching off', { enabled: false }, {}, { enabled: false }, []],
    ['more turns', { turnProtection: 6 }, { turnProtection: 3 }, { turnProtection: 6 }, []],
    ['fewer turns', { turnProtection: 1 }, { turnProtection: 3 }, {}, ['turnProtection']],
    ['leaving manual mode', { manualMode: false }, { manualMode: true }, {}, ['manualMode']],
    [
      'a strategy, with its protections',
      { strategies: { purgeErrors: { turns: 3, protectedTools: ['a', '!b'] } } },
      {},
      { strategies: { purgeErrors: { turns: 3, protectedTools: ['a'] } } },
      ['strategies.purgeErrors.protectedTools'],
    ],
  ]

  it.each(cases)('%s', (_, file, base, config, refused) => {
    const part = projectPart(file, base)
    expect(part.config).toEqual(config)
    expect(Object.keys(part.refused)).toEqual(refused)
  })
})
