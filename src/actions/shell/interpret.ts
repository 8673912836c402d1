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
import { joinOutputs, OTHER, type Output, SILENT } from './output.ts'
import { forgetVariable, setVariable } from './variables.ts'
import { expandWord } from './word.ts'

export interface Interpretation {
  readonly output: Output
  readonly context: ShellContext
}

/** Output with more pieces than this is treated as unknown. */
const MOST_PIECES = 2_000

const RUNNER: Runner = {
  node: runNode,
  words: runWords,
  text: runText,
  substitution: runSubstitution,
}

/** Interprets a script without running it: its output, its changes and its final directory. */
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
  return runStatements({ ...createSubshell(context), decisive: true }, script.commands, null)
}

function runStatements(
  context: ShellContext,
  statements: readonly Statement[],
  stdin: Output | null,
): Output {
  const printed: Output[] = []
  const { decisive } = context
  statements.forEach(({ command, background }, index) => {
    context.decisive = decisive && index === statements.length - 1
    printed.push(
      command.type === 'AndOr'
        ? runAndOr(context, command, stdin)
        : runPipelineNode(background ? createSubshell(context) : context, command, stdin),
    )
    // A part that fails without failing the command may print an error.
    if (background || (!context.decisive && !isQuiet(command))) printed.push(OTHER)
  })
  context.decisive = decisive
  return joinOutputs(printed)
}

/**
 * A part after `&&` certainly runs if the command's success depends on it, or if the parts before it rarely fail. A part
 * after `||` may not run, and its output may replace that of the part before it.
 */
function runAndOr(context: ShellContext, list: AndOr, stdin: Output | null): Output {
  const decisive = context.decisive && !list.operators.includes('||')
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
    // A directory change after `||` may not have happened.
    const place = operator === '||' ? createBranch(current) : current
    printed.push(runPipelineNode(place, command, stdin))
    if (place !== current) leaveBranch(current, place)
  })
  if (current !== context) leaveBranch(context, current)
  return joinOutputs(printed)
}

const RELIABLE = new Set(['cd', 'mkdir', 'echo', 'printf', 'touch', 'export', 'set', 'true', ':'])

/** Commands that almost never fail. */
function isReliable(command: PipelineNode): boolean {
  if (command.type !== 'Command') return false
  if (command.name === undefined || RELIABLE.has(command.name.value)) return true
  return (
    command.redirects.some((redirect) => redirect.type === 'HereDoc') &&
    command.name.value === 'cat'
  )
}

/** True for commands that print nothing when they fail, or almost never fail. */
function isQuiet(command: PipelineNode | AndOr): boolean {
  if (command.type === 'AndOr') {
    return command.commands.every((part) => isQuiet(part) || isGuard(part))
  }
  if (command.type === 'Function' || command.type === 'TestCommand') return true
  const tests = command.type === 'Command' && /^(?:test|\[|false)$/.test(command.name?.value ?? '')
  return tests || isReliable(command)
}

/** `cd x || exit 1`: the next part only runs if the part before succeeded. */
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
  return joinOutputs([...printed, OTHER])
}

/** Runs a loop once for each word if the words are known. */
function runFor(context: ShellContext, loop: For, stdin: Output | null): Output {
  const name = loop.name.value
  const words = loop.wordlist ?? []
  const values = words.flatMap((word) => expandWord(context, word))
  const known = loop.wordlist !== undefined && values.every((value) => value.kind !== 'unknown')
  if (!known || !mayRepeat(context, loop.body, values.length)) {
    forgetVariable(context.scope, name)
    return runBranches(context, [], [loop.body], stdin)
  }
  const { decisive } = context
  const printed = values.map((value, index) => {
    context.decisive = decisive && index === values.length - 1
    setVariable(context.scope, name, [value])
    return runStatements(context, loop.body.commands, stdin)
  })
  return joinOutputs(printed)
}
