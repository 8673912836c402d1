import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { agents } from '../setup/agents.ts'
import { type Terminal, writeResult } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** What a shell completes behind a command such as `run` or `memory add`. */
interface Completed {
  readonly name: string
  readonly description: string
  readonly options: readonly Completable[]
  /** Words that may follow it: subcommands, agents, shells. */
  readonly words: readonly string[]
  readonly commands: readonly Completed[]
}

interface Completable {
  readonly name: string
  readonly description: string
  /** Another word follows, such as a file. */
  readonly takesValue: boolean
}

/** Scripts that complete commands, options and agents. They are made from the commands themselves. */
export function completionCommand(terminal: Terminal): Command {
  const command = new Command('completion')
    .description('print a script that completes commands in bash, zsh or fish')
    .argument('<shell>', shells.join(', '))
    .option('--json', 'print one JSON value: {shell, script}')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest completion bash >> ~/.bashrc
  palimpsest completion zsh > "\${fpath[1]}/_palimpsest"
  palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish`,
    )
    .action(async (shell: string, { json }: { readonly json?: true }) => {
      const known = shells.find((each) => each === shell)
      if (known === undefined)
        throw new PalimpsestError(
          'usage',
          `${shell} is not known; use one of: ${shells.join(', ')}`,
        )
      const all = (command.parent?.commands ?? []).map(completed)
      const script = scripts[known](all)
      await writeResult(terminal, { json }, { shell, script }, script.split('\n'))
    })
  return command
}

function completed(command: Command): Completed {
  const name = command.name()
  const takesAgent = name === 'run' || name === 'init'
  const own = command.options.flatMap(({ long, description, required, optional }) =>
    long == null ? [] : [{ name: long, description, takesValue: required || optional }],
  )
  const help = { name: '--help', description: 'show its help', takesValue: false }
  const commands = command.commands.map(completed)
  return {
    name,
    description: command.description(),
    options: [...own, help],
    words: [
      ...commands.map((each) => each.name),
      ...(takesAgent ? agents.map(({ id }) => id) : []),
      ...(name === 'completion' ? shells : []),
    ],
    commands,
  }
}

/** Each command with its whole name, subcommands included. */
function allOf(commands: readonly Completed[]): readonly (Completed & { readonly path: string })[] {
  return commands.flatMap((each) => [
    { ...each, path: each.name },
    ...each.commands.map((inner) => ({ ...inner, path: `${each.name} ${inner.name}` })),
  ])
}

function namesOf(options: readonly Completable[]): string {
  return options.map(({ name }) => name).join(' ')
}

/** Options behind which a word stands that is no command. */
function valueOptions(commands: readonly Completed[]): string {
  const options = allOf(commands).flatMap((each) => each.options)
  const names = options.filter(({ takesValue }) => takesValue).map(({ name }) => name)
  return [...new Set(names)].join('|')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const scripts: Readonly<
  Record<(typeof shells)[number], (commands: readonly Completed[]) => string>
> = {
  bash: (commands) =>
    [
      '# Completion of palimpsest in bash.',
      '_palimpsest() {',
      `  local word=\${COMP_WORDS[COMP_CWORD]} words= options= command= sub= at`,
      '  for ((at = 1; at < COMP_CWORD; at++)); do',
      `    case \${COMP_WORDS[at]} in`,
      `      ${valueOptions(commands)}) ((at++)); continue ;;`,
      '      -*) continue ;;',
      '    esac',
      `    if [[ -z $command ]]; then command=\${COMP_WORDS[at]}`,
      `    else sub=\${COMP_WORDS[at]}; break; fi`,
      '  done',
      '  # Files, by an empty answer, for the value of an option and for the agent behind `run AGENT`.',
      '  COMPREPLY=()',
      `  case \${COMP_WORDS[COMP_CWORD-1]} in ${valueOptions(commands)}) return ;; esac`,
      '  [[ $command == run && -n $sub ]] && return',
      '  case $command in',
      `    '') words='${commands.map(({ name }) => name).join(' ')}' options='--help --version' ;;`,
      ...commands.map(
        ({ name, words, options }) =>
          `    ${name}) words='${words.join(' ')}' options='${namesOf(options)}' ;;`,
      ),
      '  esac',
      '  case "$command $sub" in',
      ...allOf(commands)
        .filter(({ path }) => path.includes(' '))
        .map(({ path, options }) => `    '${path}') words= options='${namesOf(options)}' ;;`),
      '  esac',
      '  [[ $word == -* ]] && words=$options',
      '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
      '}',
      'complete -o default -F _palimpsest palimpsest',
    ].join('\n'),
  zsh: (commands) =>
    [
      '#compdef palimpsest',
      '# Completion of palimpsest in zsh.',
      '_palimpsest() {',
      '  local -a commands known options',
      '  local command= sub= at',
      '  for ((at = 2; at < CURRENT; at++)); do',
      '    case $words[at] in',
      `      ${valueOptions(commands)}) ((at++)); continue ;;`,
      '      -*) continue ;;',
      '    esac',
      '    if [[ -z $command ]]; then command=$words[at]; else sub=$words[at]; break; fi',
      '  done',
      '  commands=(',
      ...commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`),
      '  )',
      '  if [[ -z $command ]]; then',
      '    [[ $words[CURRENT] == -* ]] && compadd -- --help --version && return',
      "    _describe 'command' commands",
      '    return',
      '  fi',
      `  case $words[CURRENT-1] in ${valueOptions(commands)}) _files; return ;; esac`,
      '  if [[ $command == run && -n $sub ]]; then',
      '    _files',
      '    return',
      '  fi',
      '  case $command in',
      ...commands.map(
        ({ name, words, options }) =>
          `    ${name}) known=(${words.join(' ')}) options=(${namesOf(options)}) ;;`,
      ),
      '  esac',
      '  case "$command $sub" in',
      ...allOf(commands)
        .filter(({ path }) => path.includes(' '))
        .map(({ path, options }) => `    '${path}') known=() options=(${namesOf(options)}) ;;`),
      '  esac',
      '  if [[ $words[CURRENT] == -* ]]; then compadd -a options',
      '  elif (( $#known )); then compadd -a known',
      '  else _files; fi',
      '}',
      'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi',
    ].join('\n'),
  fish: (commands) =>
    [
      '# Completion of palimpsest in fish.',
      '# Whether the words before the cursor are these (`only`), or begin with them (`within`). Options do not count.',
      'function __palimpsest_at',
      '  set -l seen',
      '  set -l skip 0',
      '  for word in (commandline -opc)[2..-1]',
      '    if test $skip = 1; set skip 0; continue; end',
      '    switch $word',
      `      case ${valueOptions(commands).replaceAll('|', ' ')}`,
      '        set skip 1',
      "      case '-*'",
      "      case '*'",
      '        set -a seen $word',
      '    end',
      '  end',
      '  test $skip = 1; and return 1',
      '  test $argv[1] = within; or test (count $seen) = (math (count $argv) - 1); or return 1',
      '  set -e argv[1]',
      '  set -l at 0',
      '  for wanted in $argv',
      '    set at (math $at + 1)',
      '    test "$seen[$at]" = $wanted; or return 1',
      '  end',
      'end',
      ...['version', 'help'].map((name) => `${fishAt('only')} -l ${name}`),
      ...commands.map(
        ({ name, description }) => `${fishAt('only')} -f -a ${name} -d ${fishQuoted(description)}`,
      ),
      ...allOf(commands).flatMap(({ path, words, options, commands: inner }) => {
        // What stands behind the agent of `run` is the agent's; `init` takes several.
        const after = fishAt(inner.length > 0 || path === 'run' ? 'only' : 'within', path)
        return [
          ...(words.length === 0 ? [] : [`${after} -f -a '${words.join(' ')}'`]),
          ...options.map(
            ({ name, description, takesValue }) =>
              `${after} -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${fishQuoted(description)}`,
          ),
        ]
      }),
    ].join('\n'),
}

function fishAt(mode: 'only' | 'within', path = ''): string {
  return `complete -c palimpsest -n '${`__palimpsest_at ${mode} ${path}`.trimEnd()}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
