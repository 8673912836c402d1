import { literal, type ShellContext } from '../context.ts'
import { type Options, optionValue, readOptions } from '../options.ts'
import { OTHER } from '../output.ts'
import { recordChange, recordPath } from '../record.ts'
import { recordNamedFiles } from './formatters.ts'
import { below } from './patches.ts'
import type { Call, Program } from './program.ts'

/** A package manager's files, and the subcommands that change them. */
interface Manager {
  readonly files: readonly string[]
  readonly alters: RegExp
}

const NODE =
  /^(?:install|i|in|add|remove|rm|uninstall|un|r|update|up|upgrade|dedupe|import|link|unlink|version)$/

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: { files: ['package.json', 'package-lock.json'], alters: NODE },
  pnpm: { files: ['package.json', 'pnpm-lock.yaml'], alters: NODE },
  yarn: { files: ['package.json', 'yarn.lock'], alters: NODE },
  bun: { files: ['package.json', 'bun.lock', 'bun.lockb'], alters: NODE },
  poetry: {
    files: ['pyproject.toml', 'poetry.lock'],
    alters: /^(?:add|remove|lock|update|version|init)$/,
  },
  uv: { files: ['pyproject.toml', 'uv.lock'], alters: /^(?:add|remove|lock|sync|init|version)$/ },
  pdm: { files: ['pyproject.toml', 'pdm.lock'], alters: /^(?:add|remove|lock|update|install)$/ },
  pipenv: { files: ['Pipfile', 'Pipfile.lock'], alters: /^(?:install|uninstall|lock|update)$/ },
  composer: {
    files: ['composer.json', 'composer.lock'],
    alters: /^(?:require|remove|update|install)$/,
  },
  bundle: { files: ['Gemfile', 'Gemfile.lock'], alters: /^(?:add|remove|update|install|lock)$/ },
  cargo: { files: ['Cargo.toml', 'Cargo.lock'], alters: /^(?:add|remove|rm|update|init|upgrade)$/ },
  go: { files: ['go.mod', 'go.sum'], alters: /^(?:get|mod)$/ },
}

/** Names of scripts that rewrite sources, unlike `format:check` and `lint`. */
const WRITING_SCRIPT =
  /(?:^|[:._-])(?:fix|format|fmt|prettier|pretty|codemod|generate|gen|codegen|bump|release|version|migrate|autofix|tidy|sync)(?:$|[:._-])/i
const LOOKING_SCRIPT = /(?:^|[:._-])(?:check|verify|test|tests|dry-run|ci|diff)(?:$|[:._-])/i

/** Whether a task changes sources, judged by its name. */
export function isWritingTask(name: string): boolean {
  return WRITING_SCRIPT.test(name) && !LOOKING_SCRIPT.test(name)
}

const manage: Program = (call) => {
  const options = readOptions(call.args, {
    short: call.name === 'npm' || call.name === 'pnpm' ? 'wCF' : '',
    long: ['prefix', 'cwd', 'dir', 'workspace', 'filter', 'manifest-path', 'directory'],
  })
  const place = optionValue(options, '--prefix', '--cwd', '--dir', '-C', '--directory')
  const context = place === null ? call.context : below(call.context, place)
  const first = options.operands[0]
  const subcommand = first?.text ?? (call.name === 'yarn' ? 'install' : '')
  const inner: Call = { ...call, context }
  if (runsTool(subcommand)) return runTool(inner, first!.text)
  if (call.name === 'cargo' || call.name === 'go') {
    if (rewritesSources(call.name, subcommand, options)) {
      recordNamedFiles(inner, options.operands.slice(1))
      return OTHER
    }
  }
  return alterPackages(inner, subcommand, options)
}

function alterPackages(call: Call, subcommand: string, options: Options): ReturnType<Program> {
  const manager = MANAGERS[call.name]!
  const { context } = call
  const global = ['-g', '--global', '--frozen-lockfile', '--dry-run', '--immutable', '--no-save']
  if (subcommand === 'pkg' && /^(?:set|delete|fix)$/.test(options.operands[1]?.text ?? '')) {
    recordPath(context, literal('package.json'))
  } else if (manager.alters.test(subcommand)) {
    if (
      !readsModules(call.name, subcommand, options) &&
      !global.some((flag) => options.flags.has(flag))
    ) {
      recordAll(context, manager.files)
      const elsewhere = optionValue(options, '--workspace', '--filter', '-w', '-F')
      if (elsewhere !== null) recordChange(context, { kind: 'unknown' })
    }
  } else if (subcommand === 'init') recordPath(context, literal('package.json'))
  else if (isNode(call.name) && isWritingTask(subcommand))
    recordChange(context, { kind: 'unknown' })
  return OTHER
}

function isNode(name: string): boolean {
  return name === 'yarn' || name === 'pnpm' || name === 'bun'
}

/** `npm exec tool`, `pnpm dlx tool`, `poetry run tool` run another tool. */
function runsTool(subcommand: string): boolean {
  return /^(?:exec|x|dlx|run|run-script)$/.test(subcommand)
}

function runTool(call: Call, subcommand: string): ReturnType<Program> {
  const node = call.name === 'npm' || isNode(call.name)
  if (/^run/.test(subcommand) && (node || call.name === 'cargo' || call.name === 'go')) {
    const script = call.args.slice(call.args.findIndex((field) => field.text === subcommand) + 1)
    const name = script.find((field) => !field.text.startsWith('-'))
    if (node && (isWritingTask(name?.text ?? '') || asksForFix(call))) {
      recordChange(call.context, { kind: 'unknown' })
    }
    return OTHER
  }
  const at = call.args.findIndex((field) => field.text === subcommand)
  const tool = call.args.slice(at + 1)
  while (tool.length > 0 && tool[0]!.text.startsWith('-')) tool.shift()
  return tool.length === 0 ? OTHER : call.context.run.words(call.context, tool, call.stdin)
}

function asksForFix(call: Call): boolean {
  return call.args.some((field) => /^--(?:fix|write)$/.test(field.text))
}

function rewritesSources(name: string, subcommand: string, options: Options): boolean {
  if (options.flags.has('--check')) return false
  if (name === 'go') return /^(?:fmt|generate|fix)$/.test(subcommand)
  return /^(?:fmt|fix)$/.test(subcommand) || (subcommand === 'clippy' && options.flags.has('--fix'))
}

/** `go mod graph` and similar commands only print; `go mod tidy` changes files. */
function readsModules(name: string, subcommand: string, options: Options): boolean {
  if (name !== 'go' || subcommand !== 'mod') return false
  return !/^(?:tidy|edit|init|vendor)$/.test(options.operands[1]?.text ?? '')
}

function recordAll(context: ShellContext, files: readonly string[]): void {
  for (const file of files) recordPath(context, literal(file))
}

/** `npx tool`, `uvx tool`: handled as the tool itself. */
const runPackage: Program = (call) => {
  const tool = [...call.args]
  while (tool.length > 0 && tool[0]!.text.startsWith('-')) {
    const option = tool.shift()!.text
    if (/^(?:-p|--package|--from|--with)$/.test(option)) tool.shift()
  }
  const [name, ...rest] = tool
  if (name === undefined) return OTHER
  const bare = name.text.replace(/(?<=.)@[^/]*$/, '').replace(/^@biomejs\//, '')
  return call.context.run.words(call.context, [{ ...name, text: bare }, ...rest], call.stdin)
}

/**
 * `make`, `just`, `mise run` and similar. Builds and tests do not change sources, so only targets whose name says that
 * they rewrite sources count as changes.
 */
const runTask: Program = (call) => {
  const tasks = call.args.filter((field) => !/^-|=|^run$|^r$/.test(field.text))
  if (tasks.some((field) => isWritingTask(field.text)) || asksForFix(call)) {
    recordChange(call.context, { kind: 'unknown' })
  }
  return OTHER
}

export const PACKAGE_PROGRAMS: readonly (readonly [string, Program])[] = [
  ...Object.keys(MANAGERS).map((name) => [name, manage] as const),
  ['npx', runPackage],
  ['bunx', runPackage],
  ['pnpx', runPackage],
  ['uvx', runPackage],
  ['make', runTask],
  ['gmake', runTask],
  ['just', runTask],
  ['mise', runTask],
  ['task', runTask],
  ['rake', runTask],
  ['nx', runTask],
  ['turbo', runTask],
  ['gradle', runTask],
  ['gradlew', runTask],
  ['mvn', runTask],
  ['npm-run-all', runTask],
]
