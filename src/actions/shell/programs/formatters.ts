import type { Field } from '../context.ts'
import { OTHER } from '../output.ts'
import { recordChange, recordPath } from '../record.ts'
import { type Call, looksLikeFile, type Program } from './program.ts'

/** When a tool rewrites files, and which of its words are not paths. */
interface Fixer {
  /** It writes only with one of these options. Without this field it always writes. */
  readonly writesWith?: RegExp
  /** With one of these options it writes nothing. */
  readonly looksWith?: RegExp
  /** The first words must be this subcommand. */
  readonly subcommand?: RegExp
  /** Options whose next word is a value. */
  readonly values?: RegExp
}

const CHECK = /^(?:--check|--check-only|--diff|--dry-run|--list-different|-l|-n)$/
const VALUES =
  /^(?:-c|--config|--config-path|--ignore-path|--parser|--ext|--line-length|-t|--target-version|--plugin|--rule|--select|--ignore)$/

const FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  prettier: [{ writesWith: /^(?:--write|-w)$/ }],
  eslint: [{ writesWith: /^--fix(?:-type)?$/ }],
  oxlint: [{ writesWith: /^--fix/ }],
  stylelint: [{ writesWith: /^--fix$/ }],
  standard: [{ writesWith: /^--fix$/ }],
  xo: [{ writesWith: /^--fix$/ }],
  markdownlint: [{ writesWith: /^(?:--fix|-f)$/ }],
  'markdownlint-cli2': [{ writesWith: /^--fix$/ }],
  tslint: [{ writesWith: /^--fix$/ }],
  biome: [
    {
      writesWith: /^--(?:write|apply|fix|unsafe)/,
      subcommand: /^(?:check|format|lint|ci|migrate)$/,
    },
  ],
  rome: [{ writesWith: /^--(?:write|apply)/, subcommand: /^(?:check|format)$/ }],
  dprint: [{ subcommand: /^fmt$/ }],
  black: [{ looksWith: CHECK }],
  isort: [{ looksWith: /^(?:--check|--check-only|-c|--diff)$/ }],
  ruff: [
    { subcommand: /^format$/, looksWith: CHECK },
    { subcommand: /^check$/, writesWith: /^--fix(?:-only)?$/ },
    { writesWith: /^--fix$/ },
  ],
  autopep8: [{ writesWith: /^(?:-i|--in-place|-\w*i\w*)$/ }],
  yapf: [{ writesWith: /^(?:-i|--in-place|-\w*i\w*)$/ }],
  autoflake: [{ writesWith: /^(?:-i|--in-place|-\w*i\w*)$/ }],
  docformatter: [{ writesWith: /^(?:-i|--in-place)$/ }],
  pyupgrade: [{}],
  '2to3': [{ writesWith: /^-w$/ }],
  gofmt: [{ writesWith: /^-(?:w|\w*w)$/, values: /^-r$/ }],
  goimports: [{ writesWith: /^-w$/, values: /^-local$/ }],
  gofumpt: [{ writesWith: /^-w$/ }],
  'golangci-lint': [{ subcommand: /^run$/, writesWith: /^--fix$/ }, { subcommand: /^fmt$/ }],
  rustfmt: [{ looksWith: /^--check$/, values: /^--edition$/ }],
  'clang-format': [{ writesWith: /^-i$/ }],
  shfmt: [{ writesWith: /^-w$/, values: /^-i$/ }],
  terraform: [{ subcommand: /^fmt$/, looksWith: /^-check/ }],
  swiftformat: [{ looksWith: /^--lint$/ }],
  ktlint: [{ writesWith: /^(?:-F|--format)$/ }],
  rubocop: [{ writesWith: /^(?:-a|-A|--auto-?correct(?:-all)?|--fix)$/ }],
  'php-cs-fixer': [{ subcommand: /^fix$/, looksWith: CHECK }],
  mix: [{ subcommand: /^format$/, looksWith: /^--check-formatted$/ }],
  dart: [{ subcommand: /^(?:format|fix)$/, looksWith: /^(?:--output=none|-o|--dry-run)$/ }],
  zig: [{ subcommand: /^fmt$/, looksWith: CHECK }],
  taplo: [{ subcommand: /^(?:fmt|format)$/, looksWith: CHECK }],
  buf: [{ subcommand: /^format$/, writesWith: /^(?:-w|--write)$/ }],
  deno: [
    { subcommand: /^fmt$/, looksWith: CHECK },
    { subcommand: /^lint$/, writesWith: /^--fix$/ },
  ],
  djlint: [{ writesWith: /^--reformat$/ }],
  jscodeshift: [
    { values: /^(?:-t|--transform|--parser|--extensions)$/, looksWith: /^(?:-d|--dry)$/ },
  ],
  'ast-grep': [
    { writesWith: /^(?:-U|--update-all)$/, values: /^(?:-p|--pattern|-r|--rewrite|-l|--lang)$/ },
  ],
  sg: [
    { writesWith: /^(?:-U|--update-all)$/, values: /^(?:-p|--pattern|-r|--rewrite|-l|--lang)$/ },
  ],
  comby: [{ writesWith: /^(?:-i|-in-place)$/ }],
  'pre-commit': [{ subcommand: /^run$/ }],
}

/** A formatter changes the files in its arguments; with a directory, a pattern or no argument, any file. */
const fix: Program = (call) => {
  const words = call.args
  const subcommand = words.find((field) => !field.text.startsWith('-'))
  const fixer = (FIXERS[call.name] ?? []).find(
    (candidate) =>
      candidate.subcommand === undefined || candidate.subcommand.test(subcommand?.text ?? ''),
  )
  if (fixer === undefined || !writes(fixer, words)) return OTHER
  const rest =
    fixer.subcommand === undefined ? words : words.filter((field) => field !== subcommand)
  recordNamedFiles(call, withoutValues(rest, fixer.values ?? VALUES))
  return OTHER
}

function writes(fixer: Fixer, words: readonly Field[]): boolean {
  const { writesWith, looksWith } = fixer
  if (words.some((field) => /^(?:--help|--version)$/.test(field.text))) return false
  if (looksWith !== undefined && words.some((field) => looksWith.test(field.text))) return false
  return writesWith === undefined || words.some((field) => writesWith.test(field.text))
}

function withoutValues(words: readonly Field[], values: RegExp): readonly Field[] {
  return words.filter(
    (field, index) => !field.text.startsWith('-') && !values.test(words[index - 1]?.text ?? ''),
  )
}

/** Records changes of named files; for anything else any file may have changed. */
export function recordNamedFiles(call: Call, operands: readonly Field[]): void {
  const files = operands.filter(
    (field) => field.kind !== 'glob' && looksLikeFile(field.text) && !/[*{]/.test(field.text),
  )
  for (const file of files) recordPath(call.context, file)
  if (files.length === 0 || files.length < operands.length) {
    recordChange(call.context, { kind: 'unknown' })
  }
}

export const FORMATTERS: readonly (readonly [string, Program])[] = Object.keys(FIXERS).map(
  (name) => [name, fix] as const,
)
