import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const source = path.resolve(import.meta.dirname, '../src')

/** Imports run from the last to the first. Folders of one level may use each other, but not in a circle. */
const levels = [
  ['core'],
  ['report', 'actions', 'formats', 'recordings', 'agent', 'memory', 'config', 'store'],
  ['session'],
  ['replay'],
  ['gateway', 'opencode', 'sdk', 'pi', 'mcp', 'cli', 'dashboard', 'setup'],
]

/** The folders of `core`, each of which uses only those before it. `engine.ts` uses them all. */
const insideCore = [
  'words',
  'record',
  'files',
  'track',
  'render',
  'guard',
  'propose',
  'schedule',
  'session',
  'engine.ts',
]

interface Import {
  readonly file: string
  readonly specifier: string
}

function imports(): Import[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(source, file), 'utf8')
      const found = text.matchAll(/^(?:import|export)\b[^'"=()]*?\bfrom\s+['"]([^'"]+)['"]/gm)
      const bare = text.matchAll(/^import\s+['"]([^'"]+)['"]/gm)
      const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
      return [...found, ...bare, ...dynamic].map((match) => ({
        file,
        specifier: match[1] as string,
      }))
    })
}

const folderOf = (file: string): string =>
  file.includes(path.sep) ? (file.split(path.sep)[0] as string) : ''
const levelOf = (folder: string): number => levels.findIndex((level) => level.includes(folder))
const all = imports()
const between = all
  .filter(({ specifier }) => specifier.startsWith('.'))
  .map(({ file, specifier }) => ({
    file,
    from: folderOf(file),
    to: folderOf(path.relative(source, path.resolve(source, path.dirname(file), specifier))),
  }))
  .filter(({ from, to }) => from !== to && from !== '')

describe('the direction of imports', () => {
  it('is seen at all: the reader of import lines finds what is there', () => {
    expect(all.length).toBeGreaterThan(100)
    expect(
      all.some(
        ({ file, specifier }) =>
          file === path.join('cli', 'main.ts') && specifier === './program.ts',
      ),
    ).toBe(true)
  })

  it('knows every folder', () => {
    const unknown = [...new Set(all.map(({ file }) => folderOf(file)))].filter(
      (folder) => folder !== '' && levelOf(folder) < 0,
    )
    expect(unknown).toEqual([])
  })

  it('never goes from a lower level to a higher one', () => {
    expect(between.filter(({ from, to }) => levelOf(to) > levelOf(from))).toEqual([])
  })

  it('has no circle between folders', () => {
    const uses = new Map<string, Set<string>>()
    for (const { from, to } of between) uses.set(from, (uses.get(from) ?? new Set()).add(to))
    const circles: string[] = []
    const walk = (folder: string, trail: readonly string[]): void => {
      if (trail.includes(folder)) circles.push([...trail, folder].join(' → '))
      else for (const next of uses.get(folder) ?? []) walk(next, [...trail, folder])
    }
    for (const folder of uses.keys()) walk(folder, [])
    expect(circles).toEqual([])
  })

  it('goes one way inside the core too', () => {
    const parts = all
      .filter(({ file, specifier }) => folderOf(file) === 'core' && specifier.startsWith('.'))
      .map(({ file, specifier }) => ({
        file,
        from: file.split(path.sep)[1] as string,
        to:
          path.relative('core', path.join(path.dirname(file), specifier)).split(path.sep)[0] ?? '',
      }))
    expect(parts.length).toBeGreaterThan(100)
    const level = (part: string): number => insideCore.indexOf(part)
    expect(
      parts.filter(({ from, to }) => level(from) < 0 || level(to) < 0 || level(to) > level(from)),
    ).toEqual([])
  })

  it('keeps the core pure: hashing is all that it takes from outside', () => {
    const outside = all.filter(
      ({ file, specifier }) => folderOf(file) === 'core' && !specifier.startsWith('.'),
    )
    expect(new Set(outside.map(({ specifier }) => specifier))).toEqual(new Set(['node:crypto']))
  })

  const filesWith = (call: RegExp, below: RegExp): readonly string[] =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !below.test(file))
      .filter((file) => call.test(readFileSync(path.join(source, file), 'utf8')))

  it('makes engines in one place, so that no door has a configuration of its own', () => {
    const making = filesWith(/^(?! \*).*(?<!function )\bcreateEngine\(/m, /^core/)
    expect(making).toEqual([path.join('config', 'engine-maker.ts')])
  })

  it('opens the memory and finds the store in one place', () => {
    const environment = path.join('session', 'environment.ts')
    expect(filesWith(/\bopenLog\(|\bnew Memory\(/, /^memory/)).toEqual([environment])
    const finding = filesWith(/\bstoreLocation\(/, /^store/)
    // The plugin's default does not read a configuration.
    expect(finding.toSorted()).toEqual([
      path.join('opencode', 'default-setup.ts'),
      path.join('session', 'setup.ts'),
    ])
  })

  it('takes sessions from the store in one place', () => {
    expect(filesWith(/\bcreateSessionWriter\(/, /^store/)).toEqual([
      path.join('session', 'session.ts'),
    ])
  })

  it('sets no V8 flags and forces no collection', () => {
    expect(filesWith(/\bsetFlagsFromString\b|\bgc\(\)|--expose-gc/, /^$/)).toEqual([])
  })

  it('lets only doors reach files, processes and the network', () => {
    const forbidden = /^node:(fs|fs\/promises|child_process|http|https|net|os|worker_threads)$/
    const reaching = all.filter(
      ({ file, specifier }) =>
        forbidden.test(specifier) && levelOf(folderOf(file)) < 4 && !/^(store|config)/.test(file),
    )
    expect(reaching).toEqual([])
  })
})
