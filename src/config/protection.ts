import picomatch from 'picomatch'
import { linearRegExp } from '../core/files/text/linear-regexp.ts'
import type { Protection } from '../core/guard/guard.ts'
import type { Settings } from '../core/words/settings.ts'

/** No system opens a longer path; such a text is left alone. */
const longestPath = 4096

type Matches = (text: string) => boolean

/** Which tools and files a person has protected from everything. */
export function createProtection(
  settings: Pick<Settings, 'protectedTools' | 'protectedFilePatterns'>,
): Protection {
  return {
    tool: lastWord(settings.protectedTools.map(toolPattern)),
    file: lastWord(settings.protectedFilePatterns.map(filePattern)),
  }
}

interface Pattern {
  readonly protects: boolean
  readonly matches: Matches
}

/** The last pattern that fits decides, so that `!` makes an exception to those before it. */
function lastWord(patterns: readonly Pattern[]): Matches {
  const last = patterns.toReversed()
  return (text) => last.find(({ matches }) => matches(text))?.protects ?? false
}

/** The name of a tool, in any case; `*` goes across separators, as names have them for no reason of hierarchy. */
function toolPattern(pattern: string): Pattern {
  const { protects, glob } = signed(pattern)
  const matches = matcher([glob], { nocase: true, bash: true })
  return { protects, matches: (name) => name !== '' && matches(name) }
}

/**
 * A file by its path, absolute or relative, with either separator. A pattern that is not absolute holds at any depth,
 * because agents name the same file by its absolute path or from wherever they stand.
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

/** A hostile project may choose the glob and the path, so that the two must not take longer than their lengths allow. */
function oneGlob(glob: string, options: picomatch.PicomatchOptions): Matches {
  const { source, flags } = picomatch.makeRe(glob, { dot: true, ...options })
  const expression = linearRegExp(source, flags)
  // What cannot be tested in linear time counts as protected.
  return (text) => text === glob || (expression?.test(text) ?? true)
}

function signed(pattern: string): { readonly protects: boolean; readonly glob: string } {
  const excepts = pattern.startsWith('!') && !pattern.startsWith('!(')
  return { protects: !excepts, glob: excepts ? pattern.slice(1) : pattern }
}

/** A backslash may be meant as a separator or as an escape: both are tried, to protect rather too much. */
function spellingsOfGlob(glob: string): readonly string[] {
  const written = glob.includes('\\') ? [glob, glob.replaceAll('\\', '/')] : [glob]
  return written.flatMap((each) => {
    const whole = withSmallDrive(each.replace(/^(?:\.\/|~\/)+/, '').replace(/\/$/, '/**'))
    const spelt = [whole, withPlainBrackets(whole)]
    return /^(?:\/|[a-z]:\/)/i.test(whole) ? spelt : spelt.flatMap((one) => [one, `**/${one}`])
  })
}

/** Folders such as `(group)` are meant by their names; only `@(a|b)` and its like are alternatives. */
function withPlainBrackets(glob: string): string {
  return glob.replace(/(?<![!@?*+\\])\(([^()|]*)\)/g, '\\($1\\)')
}

function isWindowsPath(path: string): boolean {
  return /^(?:file:\/\/\/)?[a-z]:[\\/]/i.test(path) || path.includes('\\')
}

/** The path in plain form, and, when it has a drive, with and without it, however shells write drives. */
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

/** `./a/../b` is `b`; leading steps upwards say nothing about the file and are dropped. */
function withoutDots(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.' || (step === '~' && steps.length === 0)) continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  return (path.startsWith('/') ? '/' : '') + steps.join('/')
}
