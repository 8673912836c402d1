import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PalimpsestError } from '../core/words/errors.ts'
import { type PlannedFile, planFiles, undone, writeFiles } from './changed-files.ts'
import { continueCli } from './continue.ts'
import { createRerouting } from './reroute.ts'

const home = mkdtempSync(path.join(tmpdir(), 'palimpsest continue-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
mkdirSync(path.join(home, '.continue'))
const config = path.join(home, '.continue/config.yaml')
const gateway = 'http://127.0.0.1:8787'

/** Sets Continue up for good with this configuration. */
function setUp(text: string): PlannedFile {
  writeFileSync(config, text)
  const { changes } = continueCli.keep({
    ...{ home, env: {}, cwd: home, gateway: createRerouting(gateway) },
    mcp: { command: ['palimpsest', 'mcp'], env: {} },
  })
  const files = planFiles('cn', changes, [])
  writeFiles(files)
  return files[0] as PlannedFile
}

describe('the configuration of Continue', () => {
  it('gets an address where its key has no value, and loses it when the user has edited that line', () => {
    const given = 'models:\n  - name: One\n    provider: openai\n    apiBase:\n'
    const file = setUp(given)
    const written = readFileSync(config, 'utf8')
    expect(parse(written).models[0].apiBase).toBe(`${gateway}/continue-openai`)
    expect(undone(file, written)).toBe(given)
    const edited = written.replace('/continue-openai', '/continue-openai # here')
    expect(undone(file, edited)).toBe(given.replace('apiBase:', 'apiBase: # here'))
  })

  it('keeps its list of models when the user has moved the address to the front', () => {
    const file = setUp('models:\n  - name: One\n    provider: openai\n')
    const written = readFileSync(config, 'utf8')
    const [line = ''] = /^ *apiBase.*\n/m.exec(written) ?? []
    const moved = written.replace(line, '').replace('  - name', `  - ${line.trim()}\n    name`)
    expect(parse(undone(file, moved) ?? '')).toEqual({
      models: [{ name: 'One', provider: 'openai' }],
    })
  })

  it('stays as it is, and the user is told, when an address is written in several lines', () => {
    const given =
      'models:\n  - name: One\n    provider: openai\n    apiBase: >-\n      https://x.example/v1\n'
    expect(() => setUp(given)).toThrow(/models\.0\.apiBase is not written on a line of its own/)
    expect(() => setUp('models:\n  - *one\n')).toThrow(PalimpsestError)
    expect(readFileSync(config, 'utf8')).toBe('models:\n  - *one\n')
  })
})
