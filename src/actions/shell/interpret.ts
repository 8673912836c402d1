import {
  type AndOr,
  type CommandNode,
  type CompoundList,
  type For,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from 'unbash'
import { runCommand, runRedirected, runWords } from './command.ts'
import {
  createBranch,
  createContext,
  createSubshell,
  DEEPEST,
  leaveBranch,
  mayRepeat,
  type Runner,
  type ShellContext,
} from './context.ts'
import { OTHER, type Output, SILENT } from './output.ts'
import { forgetVariable, setVariable } from './variables.ts'
import { expandWord } from './word.ts'

export interface Interpretation {
  readonly output: Output
  readonly context: ShellContext
}

/** A pipe that carries more pieces than this carries just something. */
const MOST_PIECES = 2_000

const RUNNER: Runner = {
  node: runNode,
  words: runWords,
  text: runText,
  substitution: runSubstitution,
}

/** Follows a script without running it: what it prints, what it changes, where its `cd` leads. */
export function interpret(
  script: ParsedScript,
  options: { readonly certain: boolean },
): Interpretation {
  const context = createContext(RUNNER)
  context.certain = options.certain
  return { output: runStatements(context, script.commands, null), context }
}

function runText(context: ShellContext, text: string, stdin: Output | null): Output {
  if (context.depth >= DEEPEST) return OTHER
  const script = parse(text)
  const before = context.certain
  if (script.errors !== undefined && script.errors.length > 0) context.certain = false
  const output = runStatements(context, script.commands, stdin)
  context.certain = before
  return output
}

function runSubstitution(context: ShellContext, script: ParsedScript): Output {
  return runStatements(createSubshell(context), script.commands, null)
}

function runStatements(
  context: ShellContext,
  statements: readonly Statement[],
  stdin: Output | null,
): Output {
  const printed: Output[] = []
  statements.forEach((statement, index) => {
    const { command, background } = statement
    const last = index === statements.length - 1
    const output =
      command.type === 'AndOr'
        ? runAndOr(context, command, stdin, { last })
        : runPipelineNode(background ? createSubshell(context) : context, command, stdin)
    printed.push(output)
    if (background) printed.push(OTHER)
  })
  return printed.flat()
}

/**
 * A part after `&&` runs for sure when the command's success depends on it, or when nothing before it is likely to
 * fail. A part after `||` is never sure, and what it prints may stand in for the part before it.
 */
function runAndOr(
  context: ShellContext,
  list: AndOr,
  stdin: Output | null,
  options: { readonly last: boolean },
): Output {
  const decisive = options.last && !list.operators.includes('||')
  const printed: Output[] = []
  let current = context
  list.commands.forEach((command, index) => {
    const operator = list.operators[index - 1]
    if (operator === '||' && isGuard(command)) return
    const doubtful = operator === '&&' && !decisive && !isReliable(list.commands[index - 1]!)
    if (operator === '||' || doubtful) {
      printed.push(OTHER)
      if (current === context) current = createBranch(context)
    }
    printed.push(runPipelineNode(current, command, stdin))
  })
  if (current !== context) leaveBranch(context, current)
  return printed.flat()
}

const RELIABLE = new Set([
  'cd',
  'mkdir',
  'echo',
  'printf',
  'cat',
  'touch',
  'rm',
  'cp',
  'mv',
  'export',
  'set',
  'true',
  'tee',
  ':',
])

function isReliable(command: PipelineNode): boolean {
  return (
    command.type === 'Command' && (command.name === undefined || RELIABLE.has(command.name.value))
  )
}

/** `cd x || exit 1`: what follows it only runs when the part before it worked. */
function isGuard(command: PipelineNode): boolean {
  return (
    command.type === 'Command' && /^(?:exit|return|break|continue)$/.test(command.name?.value ?? '')
  )
}

function runPipelineNode(context: ShellContext, node: PipelineNode, stdin: Output | null): Output {
  return node.type === 'Pipeline'
    ? runPipeline(context, node, stdin)
    : runNode(context, node, stdin)
}

function runPipeline(context: ShellContext, pipeline: Pipeline, stdin: Output | null): Output {
  let flowing = stdin
  const only = pipeline.commands.length === 1
  for (const command of pipeline.commands) {
    flowing = runNode(only ? context : createSubshell(context), command, flowing)
    if (!only && flowing.length > MOST_PIECES) flowing = OTHER
  }
  return flowing ?? SILENT
}

function runNode(context: ShellContext, node: CommandNode, stdin: Output | null): Output {
  switch (node.type) {
    case 'Command':
      return runCommand(context, node, stdin)
    case 'Redirected':
      return runRedirected(context, node.redirects, stdin, (input) =>
        runNode(context, node.command, input),
      )
    case 'Subshell':
      return runStatements(createSubshell(context), node.body.commands, stdin)
    case 'BraceGroup':
      return runStatements(context, node.body.commands, stdin)
    case 'If':
      return runBranches(
        context,
        [node.clause],
        [node.then, ...node.elif.flatMap((elif) => [elif.clause, elif.then]), node.else],
        stdin,
      )
    case 'While':
      return runBranches(context, [node.clause], [node.body], stdin)
    case 'For':
    case 'Select':
      return node.type === 'For'
        ? runFor(context, node, stdin)
        : runBranches(context, [], [node.body], stdin)
    case 'ArithmeticFor':
      return runBranches(context, [], [node.body], stdin)
    case 'Case':
      return runBranches(
        context,
        [],
        node.items.map((item) => item.body),
        stdin,
      )
    case 'Function':
      context.effects.functions.set(node.name.value, node)
      return SILENT
    case 'Coproc':
      return node.body.type === 'CompoundList'
        ? OTHER
        : [...runNode(createSubshell(context), node.body, stdin), ...OTHER]
    case 'TestCommand':
    case 'ArithmeticCommand':
      return SILENT
  }
}

function runBranches(
  context: ShellContext,
  always: readonly CompoundList[],
  maybe: readonly (CompoundList | undefined)[],
  stdin: Output | null,
): Output {
  const printed: Output[] = always.map((list) => runStatements(context, list.commands, stdin))
  for (const list of maybe) {
    if (list === undefined) continue
    const branch = createBranch(context)
    printed.push(runStatements(branch, list.commands, stdin))
    leaveBranch(context, branch)
  }
  return [...printed.flat(), ...OTHER]
}

/** A loop over words that are known is run once for each of them. */
function runFor(context: ShellContext, loop: For, stdin: Output | null): Output {
  const name = loop.name.value
  const words = loop.wordlist ?? []
  const values = words.flatMap((word) => expandWord(context, word))
  const known = loop.wordlist !== undefined && values.every((value) => value.kind !== 'unknown')
  if (!known || !mayRepeat(context, loop.body, values.length)) {
    forgetVariable(context.scope, name)
    return runBranches(context, [], [loop.body], stdin)
  }
  return values.flatMap((value) => {
    setVariable(context.scope, name, [value])
    return runStatements(context, loop.body.commands, stdin)
  })
}
