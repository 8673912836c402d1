import {
  type Command,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash'

/** Commands that a query may contain in addition to commands that read state. */
const COMPANIONS = new Set(['cd', 'echo', 'printf', 'true', ':', 'test', '['])
/** Filters that a query may pipe into. With a file operand the command is a read instead. */
const FILTERS = new Set([
  'head',
  'tail',
  'sort',
  'wc',
  'uniq',
  'grep',
  'egrep',
  'rg',
  'cut',
  'tr',
  'sed',
  'awk',
  'cat',
  'nl',
  'column',
  'tac',
  'less',
])

/** Counts the commands that read state; a query has at least one. */
interface Tally {
  states: number
}

/**
 * The normalised command if every part only reads state with `ls`, `find`, `pwd`, `tree` or `git status/branch/log`.
 * Ignores spaces, quotes, comments and a final `2>&1`.
 */
export function readQuery(script: ParsedScript, depth = 0): string | null {
  const inner = depth < 3 ? wrappedScript(script) : null
  if (inner !== null) {
    const wrapped = parse(inner)
    return wrapped.errors?.length ? null : readQuery(wrapped, depth + 1)
  }
  const tally: Tally = { states: 0 }
  const text = writeStatements(script.commands, tally)
  return tally.states === 0 ? null : text
}

/** `bash -lc 'ls'` is the same query as `ls`. */
function wrappedScript(script: ParsedScript): string | null {
  const command = script.commands[0]?.command
  if (script.commands.length !== 1 || command?.type !== 'Command') return null
  if (!/^(?:\/\w+)*\/?(?:bash|sh|zsh)$/.test(command.name?.value ?? '')) return null
  const [option, text] = command.args
  if (command.suffix.length !== 2 || option?.type !== 'Word' || text?.type !== 'Word') return null
  return /^-\w*c$/.test(option.value) && isPlain(text) ? text.value : null
}

function writeStatements(statements: readonly Statement[], tally: Tally): string | null {
  return writeAll(statements, '; ', (statement) => {
    const { command, background } = statement
    if (background) return null
    if (command.type !== 'AndOr') return writePipeline(command, tally)
    const parts = command.commands.map((part) => writePipeline(part, tally))
    if (parts.includes(null)) return null
    return parts
      .map((part, at) => (at === 0 ? part : `${command.operators[at - 1]} ${part}`))
      .join(' ')
  })
}

function writePipeline(node: PipelineNode, tally: Tally): string | null {
  if (node.type !== 'Pipeline') return writeNode(node, tally, { first: true, last: true })
  if (node.prefixes.some((prefix) => prefix.type === 'Time')) return null
  const end = node.commands.length - 1
  const parts = node.commands.map((command, at) =>
    writeNode(command, tally, { first: at === 0, last: at === end }),
  )
  if (parts.includes(null)) return null
  const negation = node.prefixes.length % 2 === 1 ? '! ' : ''
  return (
    negation +
    parts.map((part, at) => (at === 0 ? part : `${node.operators[at - 1]} ${part}`)).join(' ')
  )
}

interface Place {
  readonly first: boolean
  readonly last: boolean
}

function writeNode(node: CommandNode, tally: Tally, place: Place): string | null {
  switch (node.type) {
    case 'Command':
      return writeCommand(node, tally, place)
    case 'Subshell':
      return writeAround('(', node.body, tally, ')')
    case 'BraceGroup':
      return writeAround('{ ', node.body, tally, '; }')
    case 'For': {
      const words = writeAll(node.wordlist ?? [], ' ', writeWord)
      const opening = words === null ? null : `for ${node.name.text} in ${words}; do `
      return opening === null ? null : writeAround(opening, node.body, tally, '; done')
    }
    default:
      return null
  }
}

function writeAround(open: string, list: CompoundList, tally: Tally, close: string): string | null {
  const body = writeStatements(list.commands, tally)
  return body === null ? null : open + body + close
}

function writeCommand(command: Command, tally: Tally, place: Place): string | null {
  const { name, args } = command
  if (name === undefined || command.prefix.length > 0) return null
  if (args.some((argument) => argument.type === 'Assignment')) return null
  const words = [name, ...args].filter((word) => word.type === 'Word')
  const own = name.value === 'rtk' ? words.slice(1) : words
  const program = (own[0]?.value ?? '').replace(/^\/(?:usr\/)?bin\//, '')
  if (
    isStateCommand(
      program,
      own.slice(1).map((word) => word.value),
    )
  )
    tally.states++
  else if (!COMPANIONS.has(program) && !(FILTERS.has(program) && !place.first)) return null
  const text = writeAll(words, ' ', writeWord)
  const redirects = writeAll(command.redirects, '', (redirect) => writeRedirect(redirect, place))
  return text === null || redirects === null ? null : text + redirects
}

/** Errors may be merged or discarded; a redirect to a file means that it is not a query. */
function writeRedirect(redirect: Redirection, place: Place): string | null {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return null
  const { operator, descriptor } = redirect
  const target = redirect.target.value
  const stream = descriptor?.type === 'FileDescriptor' ? String(descriptor.value) : ''
  if (operator === '>&' && stream === '2' && target === '1') return place.last ? '' : ' 2>&1'
  if (target !== '/dev/null' || operator === '<>') return null
  return ` ${stream}${operator}${target}`
}

/** Normalises the quotes of plain words; words with expansions stay as written. */
function writeWord(word: Word): string | null {
  if (!isPlain(word)) return holdsCommand(word) ? null : word.text
  const { value } = word
  return /^[\w@%+=:,./~^-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function isPlain(word: Word): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every((child) => child.type === 'Literal')),
  )
}

function holdsCommand(word: Word): boolean {
  return (word.parts ?? []).some(
    (part) =>
      part.type === 'CommandExpansion' ||
      part.type === 'ProcessSubstitution' ||
      (part.type === 'DoubleQuoted' &&
        part.parts.some((child) => child.type === 'CommandExpansion')),
  )
}

function writeAll<T>(
  items: readonly T[],
  glue: string,
  write: (item: T) => string | null,
): string | null {
  const written = items.map(write)
  return written.includes(null) ? null : written.join(glue)
}

/** True for a command that only reads the state of the project. */
function isStateCommand(program: string, args: readonly string[]): boolean {
  switch (program) {
    case 'ls':
    case 'pwd':
      return true
    case 'tree':
      return !args.some((argument) => /^-o/.test(argument))
    case 'find':
      return isPlainFind(args)
    case 'git':
      return isGitState(args)
    default:
      return false
  }
}

/** `-exec ls` only reads; any other command, and `-delete`, may change files. */
function isPlainFind(args: readonly string[]): boolean {
  return args.every((argument, index) => {
    if (/^-(?:delete|ok|okdir|fprint0?|fprintf|fls)$/.test(argument)) return false
    return !/^-exec(?:dir)?$/.test(argument) || args[index + 1] === 'ls'
  })
}

function isGitState(args: readonly string[]): boolean {
  let at = 0
  while (at < args.length && args[at]!.startsWith('-')) {
    at += args[at] === '-C' || args[at] === '-c' ? 2 : 1
  }
  const rest = args.slice(at + 1)
  switch (args[at]) {
    case 'status':
      return true
    case 'log':
      return !rest.some((argument) => /^--output(?:=|$)/.test(argument))
    case 'branch':
      return isBranchList(rest)
    default:
      return false
  }
}

const BRANCH_LISTING =
  /^(?:-a|-r|-v|-vv|-l|-av|-avv|-rv|-i|--all|--remotes|--verbose|--list|--show-current|--ignore-case|--no-color|--no-column|--(?:color|column|sort|format|contains|no-contains|merged|no-merged|points-at|abbrev)(?:=.*)?)$/

/** A name alone would create a branch; after a filter option it is a commit or a pattern. */
function isBranchList(args: readonly string[]): boolean {
  const filters = args.some((argument) =>
    /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at|--sort|--format)$/.test(
      argument,
    ),
  )
  return args.every((argument) =>
    argument.startsWith('-') ? BRANCH_LISTING.test(argument) : filters,
  )
}
