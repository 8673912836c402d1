import { type Field, resolveTarget, type ShellContext } from '../context.ts'
import { hasFlag, readOptions } from '../options.ts'
import { OTHER, type Output, SILENT } from '../output.ts'
import { recordChange, recordPath } from '../record.ts'
import { transfer } from './files.ts'
import { below, gitApply } from './patches.ts'
import { type Call, looksLikeFile, type Program } from './program.ts'

/** Records changes of the working tree. Commits, the index and remotes are ignored. */
export const git: Program = (call) => {
  const { context, subcommand, args } = readGlobalOptions(call)
  const inner: Call = { ...call, context, args }
  switch (subcommand) {
    case 'checkout':
      return checkout(inner)
    case 'restore':
      return restore(inner)
    case 'reset':
      if (hasFlag(readOptions(args), '--hard', '--merge', '--keep')) changeAnything(context)
      return OTHER
    case 'switch':
      if (!createsBranch(args, '-c', '-C', '--create')) changeAnything(context)
      return OTHER
    case 'stash':
      if (!/^(?:list|show|drop|clear|create|store)$/.test(args[0]?.text ?? ''))
        changeAnything(context)
      return OTHER
    case 'clean':
      if (!hasFlag(readOptions(args), '-n', '--dry-run')) changeAnything(context)
      return OTHER
    case 'apply':
      return gitApply(inner, args)
    case 'rm':
      return remove(inner)
    case 'mv':
      return transfer(inner, 'move')
    case 'add':
      return SILENT
    case 'submodule':
      if (/^(?:update|add|deinit|sync)$/.test(args[0]?.text ?? '')) changeAnything(context)
      return OTHER
    case 'bisect':
      if (!/^(?:log|view|visualize)$/.test(args[0]?.text ?? '')) changeAnything(context)
      return OTHER
    case 'lfs':
      if (/^(?:pull|checkout)$/.test(args[0]?.text ?? '')) changeAnything(context)
      return OTHER
    case 'merge':
    case 'rebase':
    case 'pull':
    case 'cherry-pick':
    case 'revert':
    case 'am':
    case 'read-tree':
    case 'checkout-index':
    case 'filter-branch':
    case 'sparse-checkout':
    case 'mergetool':
      changeAnything(context)
      return OTHER
    default:
      recordOutputOption(inner)
      return OTHER
  }
}

/** The subcommand after `-C dir`, `-c name=value`, `--no-pager` and similar options. */
export function readGlobalOptions(call: Call): {
  readonly context: ShellContext
  readonly subcommand: string
  readonly args: readonly Field[]
} {
  let context = call.context
  let at = 0
  for (; at < call.args.length; at++) {
    const { text } = call.args[at]!
    if (!text.startsWith('-')) break
    if (text === '-C') {
      at++
      const directory = call.args[at]
      if (directory !== undefined) context = below(context, directory)
    } else if (text === '-c' || text === '--git-dir' || text === '--work-tree') at++
  }
  return { context, subcommand: call.args[at]?.text ?? '', args: call.args.slice(at + 1) }
}

function checkout(call: Call): Output {
  const { context, args } = call
  const options = readOptions(args, {
    short: 'bB',
    long: ['orphan', 'conflict', 'pathspec-from-file'],
  })
  if (options.afterDashes !== null) {
    recordPaths(context, options.afterDashes)
    return OTHER
  }
  if (createsBranch(args, '-b', '-B', '--orphan')) return OTHER
  const paths = options.operands.filter((field) => looksLikeFile(field.text))
  // `git checkout main src/a.ts`: the first word may be a commit; then only the paths change.
  const rest = options.operands.length - paths.length
  if (
    paths.length > 0 &&
    rest <= 1 &&
    options.operands.slice(1).every((field) => paths.includes(field))
  ) {
    recordPaths(context, paths)
  } else changeAnything(context)
  return OTHER
}

function restore(call: Call): Output {
  const options = readOptions(call.args, { short: 's', long: ['source', 'pathspec-from-file'] })
  const staged = hasFlag(options, '-S', '--staged') && !hasFlag(options, '-W', '--worktree')
  if (staged) return SILENT
  if (options.operands.length === 0) changeAnything(call.context)
  else recordPaths(call.context, options.operands)
  return SILENT
}

function remove(call: Call): Output {
  const options = readOptions(call.args)
  if (hasFlag(options, '--cached', '-n', '--dry-run')) return OTHER
  for (const field of options.operands) {
    const target = resolveTarget(call.context, field)
    if (target.kind === 'path') recordChange(call.context, { kind: 'delete', path: target.path })
    else changeAnything(call.context)
  }
  return OTHER
}

/** Records changes of paths. A path that may be a directory can change any file. */
function recordPaths(context: ShellContext, paths: readonly Field[]): void {
  for (const path of paths) {
    if (looksLikeFile(path.text)) recordPath(context, path)
    else changeAnything(context)
  }
}

/** A new branch does not change files, unless it has another start point. */
function createsBranch(args: readonly Field[], ...names: readonly string[]): boolean {
  const at = args.findIndex((field) => names.includes(field.text))
  if (at === -1) return false
  const starts = args.filter((field, index) => index !== at + 1 && !field.text.startsWith('-'))
  return starts.every((field) => field.text === 'HEAD')
}

/** `git diff --output=f`, `git log --output f`. */
function recordOutputOption(call: Call): void {
  const value = readOptions(call.args, { long: ['output'] })
    .values.get('--output')
    ?.at(-1)
  if (value !== undefined) recordPath(call.context, value)
}

function changeAnything(context: ShellContext): void {
  recordChange(context, { kind: 'unknown' })
}
