import type { Assignment, Command, Function as FunctionNode, Redirection } from 'unbash'
import { DEEPEST, type Field, literal, mayRepeat, type ShellContext } from './context.ts'
import { OTHER, type Output, SILENT } from './output.ts'
import { runProgram } from './programs/index.ts'
import { closeRedirects, openRedirects } from './redirect.ts'
import {
  createScope,
  forgetVariable,
  getVariable,
  setPositional,
  setVariable,
} from './variables.ts'
import { expandSingle, expandWord } from './word.ts'

/** Runs a simple command: its assignments, redirections and program. */
export function runCommand(context: ShellContext, command: Command, stdin: Output | null): Output {
  const { name } = command
  for (const part of command.prefix) {
    if (part.type !== 'Assignment') continue
    if (name === undefined) assign(context, part)
    else assignmentField(context, part)
  }
  return runRedirected(context, command.redirects, stdin, (input) => {
    if (name === undefined) return SILENT
    const words: Field[] = [...expandWord(context, name)]
    for (const argument of command.args) {
      if (argument.type === 'Word') words.push(...expandWord(context, argument))
      else words.push(assign(context, argument))
    }
    return runWords(context, words, input)
  })
}

/** Runs expanded words: a function of the script, or a program. */
export function runWords(
  context: ShellContext,
  words: readonly Field[],
  stdin: Output | null,
): Output {
  const name = words[0]
  const { effects } = context
  if (name === undefined) return SILENT
  if (effects.wrapping >= DEEPEST) return OTHER
  const body = name.kind === 'literal' ? effects.functions.get(name.text)?.body : undefined
  effects.wrapping++
  const output =
    body === undefined
      ? runProgram(context, words, stdin)
      : runFunction(context, body, words.slice(1), stdin)
  effects.wrapping--
  return output
}

function runFunction(
  context: ShellContext,
  body: FunctionNode['body'],
  args: readonly Field[],
  stdin: Output | null,
): Output {
  if (body.type === 'CompoundList' || !mayRepeat(context, body, 2)) return OTHER
  const inner = { ...context, scope: createScope(context.scope), depth: context.depth + 1 }
  setPositional(inner.scope, args)
  const output = context.run.node(inner, body, stdin)
  context.directory = inner.directory
  return output
}

/** Sets the variable and returns the assignment as a word, because it may also be a program's argument. */
function assign(context: ShellContext, assignment: Assignment): Field {
  const { name, value } = assignment
  const field = assignmentField(context, assignment)
  const { scope } = context
  const before = assignment.append ? getVariable(scope, name) : []
  context.effects.expansionBudget -= before?.length ?? 0
  if (assignment.index !== undefined || before === undefined || context.effects.expansionBudget < 0)
    forgetVariable(scope, name)
  else if (value.type === 'ArrayValue') {
    const added = value.elements.flatMap((word) => expandWord(context, word))
    setVariable(scope, name, [...before, ...added])
  } else if (field.kind === 'unknown') forgetVariable(scope, name)
  else setVariable(scope, name, [{ ...field, text: (before[0]?.text ?? '') + field.text }])
  return { text: assignment.text, kind: field.kind === 'unknown' ? 'unknown' : 'literal' }
}

function assignmentField(context: ShellContext, assignment: Assignment): Field {
  if (assignment.value.type === 'ArrayValue') return literal(assignment.text)
  return expandSingle(context, assignment.value)
}

/** Runs something with its redirections and returns the output that is not redirected. */
export function runRedirected(
  context: ShellContext,
  redirects: readonly Redirection[],
  stdin: Output | null,
  run: (input: Output | null) => Output,
): Output {
  if (redirects.length === 0) return run(stdin)
  const plumbing = openRedirects(context, redirects)
  const output = run(plumbing.input === undefined ? stdin : plumbing.input)
  return closeRedirects(context, plumbing, output)
}
