import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actionOf } from '../actions/index.ts'
import type { Config } from './config.ts'
import { type LoadOptions, loadConfig } from './load.ts'
import { presets } from './presets.ts'
import { resolveSettings } from './resolve.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-config-'))
  mkdirSync(join(folder, 'project', 'deep'), { recursive: true })
})

afterEach(() => rmSync(folder, { recursive: true }))

const deep = join('project', 'deep')

const put = (place: string, content: unknown, name = 'palimpsest.jsonc'): string => {
  const file = join(folder, place, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const load = (options: Partial<LoadOptions> = {}): Config =>
  loadConfig({ cwd: join(folder, deep), home: join(folder, 'home'), ...options })

const mapping = (tool: string): object => ({ toolMappings: [{ tool, as: 'other' }] })

describe('the key toolMappings', () => {
  it('decides how a tool is read', () => {
    put(
      'project',
      `{
        // Ours.
        "toolMappings": [
          { "tool": "my_*", "as": "read", "path": "doc.file", "start": "from", "end": "to" },
        ],
      }`,
    )
    const call = { tool: 'my_reader', text: '{"doc":{"file":"a.ts"},"from":3,"to":9}' }
    expect(actionOf(call, { mappings: load().toolMappings })).toEqual({
      kind: 'read',
      path: 'a.ts',
      lines: { start: 3, end: 9 },
    })
    expect(actionOf(call)).toEqual({ kind: 'other' })
  })
})

describe('several files', () => {
  it('let the nearest that names a key decide it, and replace lists', () => {
    expect(load()).toEqual({ toolMappings: [], warnings: [] })
    put('home', mapping('from-home'))
    expect(load()).toMatchObject(mapping('from-home'))
    put('project', mapping('from-project'))
    expect(load()).toMatchObject(mapping('from-project'))
    put(deep, {})
    expect(load()).toMatchObject(mapping('from-project'))
    put(deep, mapping('from-deep'))
    expect(load()).toMatchObject(mapping('from-deep'))
    expect(load({ cwd: join(folder, 'project') })).toMatchObject(mapping('from-project'))
  })

  it('are merged key by key, however deep the keys stand', () => {
    put('home', {
      preset: 'acp',
      strategies: { purgeErrors: { turns: 9 }, aggressivePruning: { pruneFiles: false } },
    })
    put('project', {
      strategies: { purgeErrors: false, aggressivePruning: { pruneSnapshots: false } },
    })
    put(deep, { strategies: { purgeErrors: { enabled: true } } })
    expect(load()).toEqual({
      preset: 'acp',
      strategies: {
        purgeErrors: { enabled: true, turns: 9 },
        aggressivePruning: { pruneFiles: false, pruneSnapshots: false },
      },
      toolMappings: [],
      warnings: [],
    })
  })

  it('may mix short and long forms of a key', () => {
    put('home', { turnProtection: 6, manualMode: true, strategies: { purgeErrors: true } })
    put('project', {
      turnProtection: { enabled: true },
      manualMode: { automaticStrategies: false },
      strategies: { purgeErrors: { turns: 2 } },
    })
    expect(resolveSettings(load())).toMatchObject({
      turnProtection: 6,
      manualMode: { enabled: true, automaticStrategies: false },
      purgeErrors: { enabled: true, turns: 2 },
    })
  })

  it('never take back what another one protects', () => {
    put('home', {
      protectedFilePatterns: ['**/.env'],
      strategies: { purgeErrors: { protectedTools: ['a'] } },
    })
    put('project', {
      protectedFilePatterns: ['docs/**', '**/.env'],
      strategies: { purgeErrors: { protectedTools: ['b'] } },
    })
    expect(resolveSettings(load())).toMatchObject({
      protectedFilePatterns: ['**/.env', 'docs/**'],
      purgeErrors: { protectedTools: ['a', 'b'] },
    })
  })

  it('yield to a file that is named, and that to a text that is given', () => {
    put('project', { preset: 'compact', files: 'none', schedule: 'eager' })
    const config = put('elsewhere', { preset: 'verbose', files: 'overwrite' }, 'mine.jsonc')
    expect(load({ config })).toMatchObject({ preset: 'verbose', files: 'overwrite' })
    expect(load({ config: join('..', '..', 'elsewhere', 'mine.jsonc') })).toEqual(load({ config }))
    expect(load({ config, text: '{ "preset": "off" }' })).toMatchObject({
      preset: 'off',
      files: 'overwrite',
      schedule: 'eager',
    })
  })

  it('may be empty, hold only comments, or begin with a byte order mark', () => {
    put('home', '\uFEFF{ "preset": "acp" }')
    put('project', '\n')
    put(deep, '// nothing yet\n')
    expect(load()).toEqual({ preset: 'acp', toolMappings: [], warnings: [] })
  })

  it('count once when the folder of the user is above the project', () => {
    put('', { protectedTools: ['a'] })
    put('project', { preset: 'compact' })
    expect(load({ home: folder })).toMatchObject({ preset: 'compact', protectedTools: ['a'] })
  })
})

describe('a file of ACP or DCP', () => {
  const acp = {
    enabled: true,
    debug: false,
    pruneNotification: 'off',
    commands: { enabled: true, protectedTools: ['task'] },
    protectedFilePatterns: ['**/*.lock'],
    tools: {
      settings: { protectedTools: ['todowrite', 'deploy'], enableReasoningPruning: true },
      discard: { enabled: true },
      todoReminder: { enabled: true, initialTurns: 5 },
    },
    strategies: { aggressivePruning: { preset: 'verbose', pruneFiles: true } },
  }
  const dcp = {
    $schema: 'https://example.test/dcp.schema.json',
    turnProtection: { enabled: true, turns: 2 },
    manualMode: { enabled: true, automaticStrategies: false },
    compress: { maxContextLimit: '80%', nudgeForce: 'soft', protectedTools: [] },
    strategies: { deduplication: { protectedTools: ['x'] }, purgeErrors: { turns: 7 } },
  }

  it('works as it is, from its preset on, with one warning for what means nothing here', () => {
    const file = put('project', acp, join('.opencode', 'acp.jsonc'))
    const config = load({ config: file })
    expect(config.warnings).toEqual([
      'these keys have no meaning here and are ignored: debug, commands.enabled, ' +
        'commands.protectedTools, tools.settings.enableReasoningPruning, tools.discard.enabled ' +
        `(${file})`,
    ])
    expect(resolveSettings(config)).toEqual({
      ...presets.acp,
      pruneNotification: 'off',
      protectedFilePatterns: ['**/*.lock'],
      protectedTools: ['deploy'],
      agentProtectedTools: [...presets.acp.agentProtectedTools, 'deploy'],
      todoReminder: { ...presets.acp.todoReminder, initialTurns: 5 },
      pruneToolInputs: false,
      pruneRetryParts: false,
      pruneUserCodeBlocks: false,
      truncateOldErrors: { enabled: false, turns: 3 },
    })
  })

  it('is known by its name or by the schema that it names', () => {
    for (const name of ['dcp.json', 'team.dcp.jsonc', 'pruning.jsonc', 'my-palimpsest.jsonc']) {
      const config = load({ config: put('project', dcp, name) })
      expect(resolveSettings(config)).toEqual({
        ...presets.dcp,
        turnProtection: 2,
        manualMode: { enabled: true, automaticStrategies: false },
        deduplication: {
          ...presets.dcp.deduplication,
          protectedTools: [...presets.dcp.deduplication.protectedTools, 'x'],
        },
        purgeErrors: { ...presets.dcp.purgeErrors, turns: 7 },
      })
      expect(config.warnings).toHaveLength(1)
    }
  })

  it('is found by its bare name in .opencode of the project, then in the folder of OpenCode', () => {
    const openCodeFolders = [join(folder, 'open')]
    put('open', { preset: 'verbose' }, 'acp.json')
    expect(load({ config: 'acp', openCodeFolders }).preset).toBe('verbose')
    put('project', { preset: 'compact' }, join('.opencode', 'acp.jsonc'))
    expect(load({ config: 'acp', openCodeFolders }).preset).toBe('compact')
    expect(load({ config: 'acp.json', openCodeFolders }).preset).toBe('verbose')
    expect(load().preset).toBeUndefined()
  })

  it('names keys that nobody knows in the same warning, with a guess', () => {
    const file = put('project', { protectedTool: ['a'], wholly: { other: 1 } }, 'acp.jsonc')
    put('home', { debug: true })
    expect(load({ config: file }).warnings).toEqual([
      `these keys have no meaning here and are ignored: debug (${join(folder, 'home', 'palimpsest.jsonc')}); ` +
        `protectedTool (did you mean protectedTools?), wholly.other (${file})`,
    ])
  })

  it('is refused for a bad value of a key that works', () => {
    const file = put('project', '{\n "turnProtection": "many" }', 'dcp.jsonc')
    expect(() => load({ config: file })).toThrow(`${file}, line 2: \`turnProtection\``)
  })
})

describe('a key that only the user may set', () => {
  const extractor = { url: 'http://127.0.0.1:9/v1', model: 'm', keyVariable: 'SOME_KEY' }
  const cases = [
    ['store', { store: 'kept/here.db' }],
    ['store', { store: 'postgres://elsewhere/db' }],
    ['store', { store: 'memory:' }],
    ['upstreams.openai', { upstreams: { openai: 'http://127.0.0.1:9' } }],
    ['memory.inject', { memory: { inject: true } }],
    ['memory.extractor', { memory: { extractor } }],
    ['models', { models: [{ model: '*', inputPrice: 0 }] }],
    ['delegateClears', { delegateClears: true }],
    ['verify', { verify: true }],
  ] as const

  it.each(cases)('%s is not taken from a project, and the rest of its file is', (key, asked) => {
    const file = put('project', { ...asked, turnProtection: 3 })
    const { untrusted, ...config } = load()
    expect(config).toEqual({ toolMappings: [], warnings: [], turnProtection: 3 })
    expect(untrusted).toMatchObject([{ file, folder: join(folder, 'project'), isForeign: false }])
    expect(untrusted?.[0]?.keys.join()).toContain(key)
    expect(load({ config: file })).toMatchObject(asked)
    expect(load({ text: JSON.stringify(asked) })).toMatchObject(asked)
    put('home', asked)
    expect(load()).toMatchObject(asked)
  })

  it('is not taken through a link to a file elsewhere, nor from a folder above the project', () => {
    const target = put('elsewhere', { store: 'a.db' }, 'target.jsonc')
    symlinkSync(target, join(folder, deep, 'palimpsest.jsonc'))
    put('', { store: 'b.db' })
    expect(load().store).toBeUndefined()
    expect(load().untrusted?.map((each) => each.folder)).toEqual([folder, join(folder, deep)])
  })

  it('is not taken from a file of another plugin that the project brings', () => {
    put('project', { store: 'a.db', turnProtection: 5 }, join('.opencode', 'dcp.jsonc'))
    const { store, untrusted, turnProtection } = load({ config: 'dcp' })
    expect([store, turnProtection, untrusted?.length]).toEqual([undefined, 5, 1])
    const openCodeFolders = [join(folder, 'open')]
    put('open', { store: 'b.db' }, 'acp.jsonc')
    expect(load({ config: 'acp', openCodeFolders }).store).toBe('b.db')
  })

  it('never ends a protection of the user', () => {
    put('home', { protectedFilePatterns: ['**/.env'], turnProtection: 6, preset: 'off' })
    put('project', { protectedFilePatterns: ['!**/.env'], turnProtection: 0, preset: 'acp' })
    expect(load()).toMatchObject({
      protectedFilePatterns: ['**/.env'],
      turnProtection: 6,
      preset: 'off',
    })
  })
})

describe('a file that is named', () => {
  it('must be there', () => {
    const missing = join(folder, deep, 'nowhere.jsonc')
    expect(() => load({ config: 'nowhere.jsonc' })).toThrow(`${missing}: there is no such`)
    expect(() => load({ config: 'dcp' })).toThrow('there is no such configuration file')
  })
})
