import * as fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { createProtection } from './protection.ts'

const protectsTool = (patterns: readonly string[], name: string): boolean =>
  createProtection({ protectedTools: patterns, protectedFilePatterns: [] }).tool(name)

const protectsFile = (patterns: readonly string[], path: string): boolean =>
  createProtection({ protectedTools: [], protectedFilePatterns: patterns }).file(path)

describe('a protected tool', () => {
  it.each([
    ['bash', 'Bash'],
    ['TodoWrite', 'todowrite'],
    ['mcp__github__*', 'mcp__github__get_issue'],
    ['mcp__*', 'mcp__files/read'],
    ['{read,write}', 'Read'],
    ['read_?', 'read_1'],
    ['*', 'anything.at-all'],
  ])('is meant by %s when it is called %s', (pattern, name) => {
    expect(protectsTool([pattern], name)).toBe(true)
  })

  it.each([
    ['bash', 'bash_output'],
    ['mcp__github__*', 'mcp__gitlab__get_issue'],
    ['read', 'spread'],
  ])('is not meant by %s when it is called %s', (pattern, name) => {
    expect(protectsTool([pattern], name)).toBe(false)
  })

  it('is none when no pattern is given', () => {
    expect(protectsTool([], 'read')).toBe(false)
  })

  it('can be an exception', () => {
    const patterns = ['mcp__*', '!mcp__web__*']
    expect(protectsTool(patterns, 'mcp__notes__read')).toBe(true)
    expect(protectsTool(patterns, 'mcp__web__fetch')).toBe(false)
    expect(protectsTool(patterns, 'read')).toBe(false)
  })
})

describe('a protected file', () => {
  it.each([
    ['**/.env', '.env'],
    ['**/.env', '/home/x/.env'],
    ['**/.env', './.env'],
    ['**/.env', 'app/../.env'],
    ['**/.env', 'C:\\work\\app\\.env'],
    ['**/.env', '\\\\server\\share\\.env'],
    ['**/.env.*', '/srv/app/.env.local'],
    ['**/secrets/**', '/srv/.hidden/secrets/deep/.x/key'],
    ['**/*.pem', 'keys/a b.pem'],
    ['.env', '/home/x/project/.env'],
    ['package.json', 'packages/a/package.json'],
    ['docs/plan.md', '/home/x/project/docs/plan.md'],
    ['./docs/plan.md', 'docs/plan.md'],
    ['docs/', '/home/x/docs/a/b.md'],
    ['docs\\plans\\*.md', 'C:\\work\\docs\\plans\\next.md'],
    ['docs\\plans\\*.md', 'docs/plans/next.md'],
    ['~/.ssh/**', '/home/x/.ssh/id_ed25519'],
    ['/etc/**', '/etc/hosts'],
    ['/etc/**', '//etc/./hosts'],
    ['C:\\Work\\**', 'c:\\work\\a.ts'],
    ['C:/Work/**', '/c/Work/a.ts'],
    ['C:/Work/**', '/mnt/c/Work/a.ts'],
    ['/Users/x/**', 'C:/Users/x/a.ts'],
    ['**/.env', 'file:///home/x/.env'],
    ['**/.env', 'file:///C:/x/.env'],
    ['app/(group)/[id]/page.tsx', '/p/app/(group)/[id]/page.tsx'],
    ['src/@(a|b).ts', 'src/b.ts'],
    ['**/*.{key,pem}', 'x.key'],
    ['weird\\*name', 'weird*name'],
  ])('is meant by %s when it is %s', (pattern, path) => {
    expect(protectsFile([pattern], path)).toBe(true)
  })

  it.each([
    ['**/.env', '/home/x/.envrc'],
    ['**/.env', '/home/x/env'],
    ['*.md', 'readme.mdx'],
    ['docs/*.md', 'docs/deep/a.md'],
    ['/etc/**', '/srv/etc/hosts'],
    ['/etc/**', '/a/etc/hosts'],
    ['**/.env', '/home/x/.ENV'],
    ['**/.env', ''],
    ['C:/Work/**', 'd:/Work/a.ts'],
  ])('is not meant by %s when it is %s', (pattern, path) => {
    expect(protectsFile([pattern], path)).toBe(false)
  })

  it('can be an exception to the patterns before it', () => {
    const patterns = ['docs/**', '!docs/drafts/**', 'docs/drafts/final.md']
    expect(protectsFile(patterns, 'docs/a.md')).toBe(true)
    expect(protectsFile(patterns, 'docs/drafts/a.md')).toBe(false)
    expect(protectsFile(patterns, '/p/docs/drafts/final.md')).toBe(true)
    expect(protectsFile(patterns, 'src/a.ts')).toBe(false)
  })

  it('is found under any folder and with either separator', () => {
    const step = fc.stringMatching(/^[A-Za-z0-9._ -]{1,8}$/).filter((name) => !/^\.+$/.test(name))
    fc.assert(
      fc.property(fc.array(step), fc.constantFrom('/', '\\'), (steps, separator) => {
        for (const root of ['', '/', 'C:\\']) {
          const path = root + [...steps, '.env'].join(separator)
          expect([path, protectsFile(['**/.env'], path)]).toEqual([path, true])
          expect([path, protectsFile(['**/.envrc'], path)]).toEqual([path, false])
        }
      }),
    )
  })

  it('never throws, whatever the path and the pattern', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (pattern, text) => {
        expect(typeof protectsFile([pattern], text)).toBe('boolean')
        expect(typeof protectsTool([pattern], text)).toBe('boolean')
      }),
      {
        examples: [
          ['!', 'a'],
          ['./', ''],
          ['(', '('],
          ['[', 'x'],
          ['\\\\', '\\\\'],
          ['**/', '/'],
        ],
      },
    )
  })
})

describe('a glob', () => {
  it.each([
    ...['*', '**', '**/*.ts', '*.test.*', 'src/**', 'a/*/b', '{a,b}/**', '**/{a,b}.ts', '[abc]*.x'],
    ...[
      '[!a]*',
      '!(a|b).ts',
      '@(a|b)/c',
      '+(ab)',
      '?(a)b',
      '*(x|y)z',
      'a?c',
      '**/.env*',
      '{1..3}.ts',
    ],
    ...['a/**/b/**/c', '**/node_modules/**', '[[:alpha:]]*', '*(*(a))', '+(a|aa)'],
  ])('%s means what picomatch says', (glob) => {
    const says = picomatch([glob, `**/${glob}`], { dot: true })
    const paths = [
      'a',
      'b.ts',
      'src/x',
      'a/x/b',
      'a/b',
      '.env',
      'x/.env.local',
      'a/x/b/y/c',
      '2.ts',
    ]
    const more = [
      'x/node_modules/y',
      'aaa',
      'abab',
      'xyz',
      'abc',
      'a.test.ts',
      'c.x',
      'a/c',
      'ab',
      'z',
    ]
    for (const path of [...paths, ...more]) expect(protectsFile([glob], path)).toBe(says(path))
  })

  it.each([
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(250)],
    ['**/a/**/a/**/a/**/a/**/b', 'a/'.repeat(2_000)],
    ['+(a|aa)b', 'a'.repeat(4_000)],
    ['*(*(a))b', 'a'.repeat(4_000)],
    ['**/*', '/'.repeat(1_000_000)],
  ])('%s from a hostile project takes no longer than its length allows', (glob, path) => {
    const started = process.cpuUsage()
    protectsFile([glob], path)
    protectsTool([glob], path)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })
})
