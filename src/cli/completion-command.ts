import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { agents } from '../setup/agents.ts'
import { type Terminal, writeResult } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** What a shell completes: a command, its options and its subcommands. */
interface Completed {
  readonly name: string
  readonly description: string
  readonly options: readonly string[]
  /** Words that may follow it: subcommands, agents, shells. */
  readonly words: readonly string[]
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
  return {
    name,
    description: command.description(),
    options: [...command.options.flatMap(({ long }) => (long == null ? [] : [long])), '--help'],
    words: [
      ...command.commands.map((each) => each.name()),
      ...(takesAgent ? agents.map(({ id }) => id) : []),
      ...(name === 'completion' ? shells : []),
    ],
  }
}

const scripts: Readonly<
  Record<(typeof shells)[number], (commands: readonly Completed[]) => string>
> = {
  bash: (commands) =>
    [
      '# Completion of palimpsest in bash.',
      '_palimpsest() {',
      `  local word=\${COMP_WORDS[COMP_CWORD]} words= at command=`,
      '  for ((at = 1; at < COMP_CWORD; at++)); do',
      `    [[ \${COMP_WORDS[at]} == -* ]] || { command=\${COMP_WORDS[at]}; break; }`,
      '  done',
      '  # Arguments after `run AGENT` belong to the agent.',
      '  if [[ $command == run ]]; then',
      '    for ((at++; at < COMP_CWORD; at++)); do',
      `      [[ \${COMP_WORDS[at]} == -* ]] || { COMPREPLY=($(compgen -f -- "$word")); return; }`,
      '    done',
      '  fi',
      '  case $command in',
      `    '') words='${commands.map(({ name }) => name).join(' ')} --help --version' ;;`,
      ...commands.map(
        ({ name, words, options }) => `    ${name}) words='${[...words, ...options].join(' ')}' ;;`,
      ),
      '  esac',
      '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
      '}',
      'complete -o default -F _palimpsest palimpsest',
    ].join('\n'),
  zsh: (commands) =>
    [
      '#compdef palimpsest',
      '# Completion of palimpsest in zsh.',
      '_palimpsest() {',
      '  local -a commands',
      '  commands=(',
      ...commands.map(
        ({ name, description }) => `    '${name}:${description.replaceAll("'", "'\\''")}'`,
      ),
      '  )',
      '  if (( CURRENT == 2 )); then',
      "    _describe 'command' commands",
      '    return',
      '  fi',
      '  if [[ $words[2] == run ]] && (( CURRENT > 3 )); then',
      '    _files',
      '    return',
      '  fi',
      '  local -a known',
      '  case $words[2] in',
      ...commands.map(
        ({ name, words, options }) => `    ${name}) known=(${[...words, ...options].join(' ')}) ;;`,
      ),
      '  esac',
      '  compadd -- $known',
      '  _files',
      '}',
      'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi',
    ].join('\n'),
  fish: (commands) =>
    [
      '# Completion of palimpsest in fish.',
      'complete -c palimpsest -n __fish_use_subcommand -l version',
      'complete -c palimpsest -n __fish_use_subcommand -l help',
      ...commands.flatMap(({ name, description, words, options }) => {
        const said = description.replaceAll("'", "\\'")
        const after = `complete -c palimpsest -n '__fish_seen_subcommand_from ${name}'`
        return [
          `complete -c palimpsest -n __fish_use_subcommand -f -a ${name} -d '${said}'`,
          ...(words.length === 0 ? [] : [`${after} -f -a '${words.join(' ')}'`]),
          ...options.map((option) => `${after} -l ${option.slice(2)}`),
        ]
      }),
    ].join('\n'),
}
