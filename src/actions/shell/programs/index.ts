import type { Field, ShellContext } from '../context.ts'
import { OTHER, type Output } from '../output.ts'
import { awk } from './awk.ts'
import { BUILTINS } from './builtins.ts'
import { FILE_PROGRAMS } from './files.ts'
import { FORMATTERS } from './formatters.ts'
import { git } from './git.ts'
import { grep } from './grep.ts'
import { INTERPRETERS, runScriptFile } from './interpreters.ts'
import { PACKAGE_PROGRAMS } from './packages.ts'
import { PATCH_PROGRAMS } from './patches.ts'
import type { Program } from './program.ts'
import { READERS } from './readers.ts'
import { sed } from './sed.ts'
import { TEXT_PROGRAMS } from './text.ts'
import { WRAPPER_PROGRAMS } from './wrappers.ts'
import { WRITERS } from './writers.ts'

const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  ...BUILTINS,
  ...TEXT_PROGRAMS,
  ...READERS,
  ['sed', sed],
  ['gsed', sed],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awk] as const),
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'ugrep'].map((name) => [name, grep] as const),
  ...FILE_PROGRAMS,
  ...WRITERS,
  ...PATCH_PROGRAMS,
  ['git', git],
  ...FORMATTERS,
  ...PACKAGE_PROGRAMS,
  ...INTERPRETERS,
  ...WRAPPER_PROGRAMS,
])

/** Directories of installed programs, which are identified by name. */
const INSTALLED =
  /^(?:\/(?:usr|bin|sbin|opt|nix|snap)\/|~\/\.)|(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/bin)\//

/**
 * What a program reads, changes and prints. An unknown program prints something and changes nothing, because most unknown
 * programs are builds and tests, which do not change sources.
 */
export function runProgram(
  context: ShellContext,
  words: readonly Field[],
  stdin: Output | null,
): Output {
  const [first, ...args] = words
  if (first === undefined || first.kind !== 'literal') return OTHER
  const slash = first.text.lastIndexOf('/')
  const name = first.text.slice(slash + 1)
  const call = { name, args, stdin, context }
  if (slash !== -1 && !INSTALLED.test(first.text)) {
    return PROGRAMS.has(name) && !/\.\w+$/.test(name) && first.text.startsWith('/')
      ? PROGRAMS.get(name)!(call)
      : runScriptFile({ ...call, name: interpreterOf(name) }, first, args)
  }
  const version = name.replace(/^(python|pypy)[\d.]+$/, '$1')
  return PROGRAMS.get(version)?.({ ...call, name: version }) ?? OTHER
}

/** A script that is run by its path is a shell script, unless it has another extension. */
function interpreterOf(name: string): string {
  if (name.endsWith('.py')) return 'python'
  return /\.[cm]?[jt]s$/.test(name) ? 'node' : 'bash'
}
