import picomatch from 'picomatch'
import type { Protection } from '../core/guard/guard.ts'
import type { Settings } from '../core/words/settings.ts'
import { linearRegExp } from './linear-regexp.ts'

/** No system opens a longer path. Longer texts count as protected. */
const longestPath = 4096

type Matches = (text: string) => boolean

/** Which tools and files the user has protected from everything. */
export function createProtection(
  settings: Pick<Settings, 'protectedTools' | 'protectedFilePatterns'>,
): Protection {
  return {
    tool: lastWord(settings.protectedTools.map(toolPattern)),
    file: matchesFile(settings.protectedFilePatterns),
  }
}

/** Whether a path fits the patterns. The last one that fits decides. */
export function matchesFile(patterns: readonly string[]): (path: string) => boolean {
  return lastWord(patterns.map(filePattern))
}

interface Pattern {
  readonly protects: boolean
  readonly matches: Matches
}

/** The last matching pattern decides, so that `!` makes an exception to those before it. */
function lastWord(patterns: readonly Pattern[]): Matches {
  const last = patterns.toReversed()
  return (text) => last.find(({ matches }) => matches(text))?.protects ?? false
}

/** Matches names of tools in any case. `*` matches separators too, because names are not hierarchical. */
function toolPattern(pattern: string): Pattern {
  const { protects, glob } = signed(pattern)
  const matches = matcher([glob], { nocase: true, bash: true })
  return { protects, matches: (name) => name !== '' && matches(name) }
}

/**
 * Matches paths, absolute or relative, with either separator. A relative pattern matches at any depth, because agents name
 * the same file by its absolute path or relative to any folder.
 */
function filePattern(pattern: string): Pattern {
  const { protects, glob } = signed(pattern)
  const globs = [...new Set(spellingsOfGlob(glob))]
  const exactly = matcher(globs, {})
  const inAnyCase = matcher(globs, { nocase: true })
  return {
    protects,
    matches: (path) => {
      const matches = isWindowsPath(path) ? inAnyCase : exactly
      return spellingsOfPath(path).some((spelling) => spelling !== '' && matches(spelling))
    },
  }
}

function matcher(globs: readonly string[], options: picomatch.PicomatchOptions): Matches {
  const meant = globs.filter((glob) => glob !== '').map((glob) => oneGlob(glob, options))
  return (text) => text.length > longestPath || meant.some((matches) => matches(text))
}

/** A hostile project may choose both glob and path, so matching must take linear time. */
function oneGlob(glob: string, options: picomatch.PicomatchOptions): Matches {
  const { source, flags } = picomatch.makeRe(glob, { dot: true, ...options })
  const test = linearRegExp(source, flags)
  // A glob that cannot be tested in linear time protects.
  return (text) => text === glob || (test?.(text) ?? true)
}

function signed(pattern: string): { readonly protects: boolean; readonly glob: string } {
  const excepts = pattern.startsWith('!') && !pattern.startsWith('!(')
  return { protects: !excepts, glob: excepts ? pattern.slice(1) : pattern }
}

/** A backslash may be a separator or an escape. Both are tried, to protect too much rather than too little. */
function spellingsOfGlob(glob: string): readonly string[] {
  const written = glob.includes('\\') ? [glob, glob.replaceAll('\\', '/')] : [glob]
  return written.flatMap((each) => {
    const whole = withSmallDrive(each.replace(/^(?:\.\/|~\/)+/, '').replace(/\/$/, '/**'))
    const spelt = [whole, withPlainBrackets(whole)]
    return /^(?:\/|[a-z]:\/)/i.test(whole) ? spelt : spelt.flatMap((one) => [one, `**/${one}`])
  })
}

/** Parentheses in folder names such as `(group)` are literal; only `@(a|b)` and the like are alternatives. */
function withPlainBrackets(glob: string): string {
  return glob.replace(/(?<![!@?*+\\])\(([^()|]*)\)/g, '\\($1\\)')
}

function isWindowsPath(path: string): boolean {
  return /^(?:file:\/\/\/)?[a-z]:[\\/]/i.test(path) || path.includes('\\')
}

/** The path in plain form. A path with a drive, in any shell's spelling, is given with and without it. */
function spellingsOfPath(path: string): readonly string[] {
  const forms = path.includes('\\') ? [path.replaceAll('\\', '/'), path] : [path]
  return forms.flatMap((form) => {
    const local = form.replace(/^file:\/\//i, '').replace(/^\/(?=[a-z]:\/)/i, '')
    const plain = withSmallDrive(withoutDots(local))
    if (/^[a-z]:\//.test(plain)) return [plain, plain.slice(2)]
    const mounted = /^\/(?:mnt\/|cygdrive\/)?([a-z])(\/.*)$/i.exec(plain)
    return mounted === null ? [plain] : [plain, withSmallDrive(`${mounted[1]}:${mounted[2]}`)]
  })
}

function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:(?=\/)/, (drive) => drive.toLowerCase())
}

/** `./a/../b` becomes `b`. Leading `..` steps are dropped. */
function withoutDots(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.' || (step === '~' && steps.length === 0)) continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  return (path.startsWith('/') ? '/' : '') + steps.join('/')
}
