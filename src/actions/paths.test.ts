import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPaths } from './paths.ts'

const paths = createPaths({ cwd: '/home/ann/app' })

describe('createPaths', () => {
  it('gives every spelling of a file the same one', () => {
    for (const spelling of [
      'src/a.ts',
      './src/a.ts',
      'src//./lib/../a.ts',
      '../app/src/a.ts',
      '/home/ann/app/src/a.ts',
      '~/app/src/a.ts',
      'file:///home/ann/app/src/a.ts',
      '"src/a.ts"',
      "'src/a.ts'",
      ' src/a.ts ',
      'src/a.ts/',
      'src\\a.ts',
    ]) {
      expect(paths.canonical(spelling)).toBe('/home/ann/app/src/a.ts')
    }
    expect(paths.canonical('a.ts', 'src')).toBe('/home/ann/app/src/a.ts')
    expect(paths.canonical('a.ts', '/home/ann/app/src/')).toBe('/home/ann/app/src/a.ts')
    expect(paths.canonical('/etc/hosts', 'src')).toBe('/etc/hosts')
    expect(paths.same('src/a.ts', '/home/ann/app/src/a.ts')).toBe(true)
    expect(paths.same('src/a.ts', 'lib/a.ts')).toBe(false)
  })

  it('keeps names that only look special', () => {
    expect(paths.canonical('src/my\\ file.ts')).toBe('/home/ann/app/src/my\\ file.ts')
    expect(paths.canonical('a b~/c.ts')).toBe('/home/ann/app/a b~/c.ts')
    expect(paths.canonical('file:///tmp/100%25')).toBe('/tmp/100%')
    expect(paths.canonical('file:///tmp/100%')).toBe('/tmp/100%')
    expect(paths.canonical('')).toBe('')
    expect(paths.canonical('/')).toBe('/')
    expect(paths.canonical('/../..')).toBe('/')
  })

  it('reads Windows paths with either slash and either case of the drive', () => {
    const windows = createPaths({ cwd: 'C:\\Users\\ann\\app' })
    for (const spelling of [
      'src\\a.ts',
      'src/a.ts',
      'c:/Users/ann/app/src/a.ts',
      'C:\\Users\\ann\\app\\src\\a.ts',
      '\\\\?\\C:\\Users\\ann\\app\\src\\a.ts',
      'file:///C:/Users/ann/app/src/a.ts',
      '/c/Users/ann/app/src/a.ts',
      '~\\app\\src\\a.ts',
    ]) {
      expect(windows.canonical(spelling)).toBe('c:/Users/ann/app/src/a.ts')
    }
  })

  it('takes the files of a worktree for those of the main tree', () => {
    const trees = createPaths({ cwd: '/p/app', worktrees: ['/tmp/wt-x', '/p/app-feature/'] })
    for (const spelling of [
      '/tmp/wt-x/src/a.ts',
      '/private/tmp/wt-x/src/a.ts',
      '/p/app-feature/src/a.ts',
      '/p/app/.worktrees/one/src/a.ts',
      '/p/app/.git/worktrees/one/src/a.ts',
      '.worktrees/one/src/a.ts',
      'src/a.ts',
    ]) {
      expect(trees.canonical(spelling)).toBe('/p/app/src/a.ts')
    }
    expect(trees.canonical('src/a.ts', '/tmp/wt-x')).toBe('/p/app/src/a.ts')
    expect(trees.canonical('/tmp/wt-xy/a.ts')).toBe('/tmp/wt-xy/a.ts')
  })

  it('finds the main tree from inside a worktree', () => {
    const inside = createPaths({ cwd: '/p/app/.worktrees/one' })
    expect(inside.canonical('src/a.ts')).toBe('/p/app/src/a.ts')
    const declared = createPaths({ cwd: '/tmp/wt', root: '/p/app', worktrees: ['/tmp/wt'] })
    expect(declared.canonical('src/a.ts')).toBe('/p/app/src/a.ts')
  })

  it('leaves relative what nobody can place', () => {
    const nowhere = createPaths({ cwd: null })
    expect(nowhere.canonical('./src/../a.ts')).toBe('a.ts')
    expect(nowhere.canonical('../a.ts')).toBe('../a.ts')
    expect(nowhere.canonical('~/a.ts')).toBe('~/a.ts')
    expect(nowhere.canonical('a.ts', '/w')).toBe('/w/a.ts')
  })

  it('has nothing more to do to a canonical path', () => {
    const segment = fc.oneof(fc.constantFrom('.', '..', 'a', 'b.ts', '~', 'C:'), fc.string())
    const path = fc.array(segment, { maxLength: 6 }).map((parts) => parts.join('/'))
    fc.assert(
      fc.property(path, fc.boolean(), (spelling, absolute) => {
        const once = paths.canonical(absolute ? `/x/${spelling}` : spelling)
        fc.pre(!/["'`\\%\s]/.test(once))
        expect(paths.canonical(once)).toBe(once)
      }),
    )
  })
})
