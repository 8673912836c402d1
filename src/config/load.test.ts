import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actionOf } from '../actions/index.ts'
import { PalimpsestError } from '../core/errors.ts'
import { loadConfig } from './load.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-config-'))
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'project', 'deep'), { recursive: true })
})

afterEach(() => rmSync(folder, { recursive: true }))

const put = (place: string, text: string): void =>
  writeFileSync(join(folder, place, 'palimpsest.jsonc'), text)

const load = (place = join('project', 'deep')): ReturnType<typeof loadConfig> =>
  loadConfig({ cwd: join(folder, place), home: join(folder, 'home') })

const mapping = (tool: string): string => `{ "tools": [{ "tool": "${tool}", "as": "other" }] }`

describe('the key tools', () => {
  it('decides how a tool is read', () => {
    put(
      'project',
      `{
        // Ours.
        "tools": [
          { "tool": "my_*", "as": "read", "path": "doc.file", "start": "from", "end": "to" },
        ],
      }`,
    )
    const call = { tool: 'my_reader', text: '{"doc":{"file":"a.ts"},"from":3,"to":9}' }
    expect(actionOf(call, { mappings: load().tools })).toEqual({
      kind: 'read',
      path: 'a.ts',
      lines: { start: 3, end: 9 },
    })
    expect(actionOf(call)).toEqual({ kind: 'other' })
  })
})

describe('loadConfig', () => {
  it('lets the nearest file that names a key decide it, and replaces lists', () => {
    expect(load()).toEqual({ tools: [] })
    put('home', mapping('from-home'))
    expect(load().tools).toMatchObject([{ tool: 'from-home' }])
    put('project', mapping('from-project'))
    expect(load().tools).toMatchObject([{ tool: 'from-project' }])
    put(join('project', 'deep'), '{}')
    expect(load().tools).toMatchObject([{ tool: 'from-project' }])
    put(join('project', 'deep'), mapping('from-deep'))
    expect(load().tools).toMatchObject([{ tool: 'from-deep' }])
    expect(load('project').tools).toMatchObject([{ tool: 'from-project' }])
  })

  it('lets a given text win over every file', () => {
    put('project', mapping('from-project'))
    const config = loadConfig({ cwd: join(folder, 'project'), text: mapping('given') })
    expect(config.tools).toMatchObject([{ tool: 'given' }])
  })

  it('takes an empty file for no configuration', () => {
    put('project', '\n')
    expect(load()).toEqual({ tools: [] })
  })

  const refusal = (text: string): string => {
    put('project', text)
    try {
      load()
    } catch (error) {
      if (PalimpsestError.is(error) && error.code === 'configuration') return error.message
      throw error
    }
    return 'accepted'
  }
  const file = (): string => join(folder, 'project', 'palimpsest.jsonc')

  it('names file, line and the nearest valid key for a key that it does not know', () => {
    expect(refusal('{\n  "tool": []\n}')).toBe(
      `${file()}, line 2: unknown key \`tool\`. Did you mean \`tools\`?`,
    )
    expect(refusal('{ "tools": [\n{ "tool": "x",\n "as": "read",\n "pth": "p" }] }')).toBe(
      `${file()}, line 4: unknown key \`pth\` in \`tools.0\`. Did you mean \`path\`?`,
    )
    expect(refusal('{ "completely-different": 1 }')).toBe(
      `${file()}, line 1: unknown key \`completely-different\`. Valid keys: tools.`,
    )
  })

  it('names file and line of a bad value', () => {
    expect(refusal('{ "tools": [\n{ "tool": "x",\n "as": "reed" }] }')).toContain(
      `${file()}, line 3: \`tools.0.as\``,
    )
    expect(refusal('{ "tools": [\n{ "tool": "x" }] }')).toContain(`${file()}, line 2:`)
    expect(refusal('{\n "tools": {} }')).toContain(`${file()}, line 2: \`tools\``)
    expect(refusal('[]')).toContain(`${file()}, line 1: the configuration`)
    expect(refusal('{\n "tools": [ }')).toContain(`${file()}, line 2: not valid JSONC`)
  })
})
