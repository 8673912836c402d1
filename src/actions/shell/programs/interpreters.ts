import { createSubshell, type Field, literal, resolveTarget } from '../context.ts'
import { hasFlag, optionValue, readOptions } from '../options.ts'
import { knownText, OTHER, type Output, SILENT } from '../output.ts'
import { recallText, recordChange, recordPath } from '../record.ts'
import { readScriptEffects } from '../scripts/writes.ts'
import { setPositional } from '../variables.ts'
import { type Call, type Program, readInput } from './program.ts'

const LOOKING_WORD =
  /^(?:tests?|testing|runtests?|pytest|specs?|repro\w*|check\w*|debug\w*|verif\w*|valid\w*|bench\w*|demo\w*|examples?|print\w*|show\w*|list\w*|inspect\w*|analy[sz]\w*|explor\w*|find\w*|search\w*|lint\w*|status|count\w*|compar\w*|diff\w*|serve\w*|main|run|start|dev|build|cli|app|manage)\d*$/i
const WRITING_WORD =
  /^(?:fix\w*|appl\w+|patch\w*|updat\w*|edit\w*|modif\w*|replac\w*|rewrit\w*|renam\w*|migrat\w*|refactor\w*|convert\w*|insert\w*|remov\w*|delet\w*|add\w*|gen\w*|format\w*|codemod\w*|transform\w*|writ\w*|creat\w*|sync\w*|bump\w*|set|setup|install\w*)\d*$/i

/** True if the script's name says that it only tests or checks. The first known word decides. */
function onlyLooks(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const telling = name
    .split(/[_.-]/)
    .find((word) => LOOKING_WORD.test(word) || WRITING_WORD.test(word))
  return telling !== undefined && LOOKING_WORD.test(telling)
}

const python: Program = (call) => {
  const at = call.args.findIndex((field) => field.text === '-c' || field.text === '-m')
  const first = firstOperand(call.args, /^-[WX]$/)
  if (at !== -1 && (first === null || at < first)) {
    const [option, value, ...rest] = call.args.slice(at)
    if (value === undefined) return OTHER
    return option!.text === '-m' ? runModule(call, value, rest) : runSource(call, value, rest)
  }
  return runScriptOrInput(call, first)
}

/** `python -m black` is black. */
function runModule(call: Call, module: Field, args: readonly Field[]): Output {
  const formatsJson = module.text === 'json.tool'
  const program = formatsJson ? [literal('jq'), literal('.')] : [module]
  return call.context.run.words(call.context, [...program, ...args], call.stdin)
}

const node: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'epr',
    long: ['eval', 'print', 'require', 'import'],
  })
  const source = optionValue(options, '-e', '--eval', '-p', '--print')
  if (source !== null) return runSource(call, source, options.operands)
  if (hasFlag(options, '--test', '--check', '-c', '--version', '-v')) return OTHER
  return runScriptOrInput(
    call,
    firstOperand(call.args, /^(?:-r|--require|--import|--loader|--env-file)$/),
  )
}

/** Perl and Ruby: `-i` rewrites the operands in place, `-e` gives the script. */
const perl: Program = (call) => {
  const inPlace = call.args.some(
    (field) => /^-[a-hj-zA-Z0-9]*i/.test(field.text) && !/^-[IMe]/.test(field.text),
  )
  const { scripts, rest } = takeScripts(call.args)
  if (inPlace) {
    for (const field of scripts.length > 0 ? rest : rest.slice(1)) recordPath(call.context, field)
    return SILENT
  }
  if (scripts.length === 0) return runScriptOrInput(call, firstOperand(call.args, /^$/))
  const filters = call.args.some((field) => /^-\w*[np]\w*$/.test(field.text))
  for (const script of scripts) runSource(call, script, rest)
  if (!filters) return OTHER
  const input = readInput(call, rest)
  return input.map((piece) => (piece.kind === 'file' ? { ...piece, lines: null } : piece))
}

function takeScripts(args: readonly Field[]): {
  readonly scripts: readonly Field[]
  readonly rest: readonly Field[]
} {
  const scripts: Field[] = []
  const rest: Field[] = []
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (/^-\w*[eE]$/.test(text)) {
      at++
      if (args[at] !== undefined) scripts.push(args[at]!)
    } else if (!text.startsWith('-')) rest.push(args[at]!)
  }
  return { scripts, rest }
}

/** `bash -lc '…'`, `bash script.sh`, `bash <<EOF`. */
const shell: Program = (call) => {
  const at = call.args.findIndex((field) => /^-\w*c$/.test(field.text))
  if (at === -1) return runScriptOrInput(call, firstOperand(call.args, /^-[oO]$/))
  const [script, , ...positional] = call.args.slice(at + 1)
  if (script === undefined) return OTHER
  if (script.kind !== 'literal') {
    recordChange(call.context, { kind: 'unknown' })
    return OTHER
  }
  return runShell(call, script.text, positional, call.stdin)
}

function runShell(
  call: Call,
  text: string,
  positional: readonly Field[],
  stdin: Output | null,
): Output {
  const inner = createSubshell(call.context)
  setPositional(inner.scope, positional)
  return inner.run.text(inner, text, stdin)
}

/** Runs a script file or standard input. The file's text is known only if this command wrote it. */
function runScriptOrInput(call: Call, at: number | null): Output {
  const file = at === null ? undefined : call.args[at]
  if (file === undefined || file.text === '-') {
    const text = call.stdin === null ? null : knownText(call.stdin)
    const args = at === null ? [] : call.args.slice(at + 1)
    if (text !== null) runText(call, text, args)
    else if (call.stdin !== null) recordChange(call.context, { kind: 'unknown' })
    return OTHER
  }
  return runScriptFile(call, file, call.args.slice(at! + 1))
}

/**
 * Runs a script by its path. If its text is unknown, it may have changed any file, unless its name says that it only tests
 * or checks.
 */
export function runScriptFile(call: Call, file: Field, args: readonly Field[]): Output {
  const target = resolveTarget(call.context, file)
  const text = target.kind === 'path' ? recallText(call.context, target.path) : undefined
  if (text !== undefined) runText(call, text, args)
  else if (target.kind !== 'nowhere' && !onlyLooks(file.text)) {
    recordChange(call.context, { kind: 'unknown' })
  }
  return OTHER
}

function runSource(call: Call, source: Field, args: readonly Field[]): Output {
  if (source.kind === 'literal') runText(call, source.text, args)
  else if (readScriptEffects(source.text, []).unknown || /write|open\(/.test(source.text)) {
    recordChange(call.context, { kind: 'unknown' })
  }
  return OTHER
}

function runText(call: Call, text: string, args: readonly Field[]): void {
  if (SHELLS.has(call.name)) {
    runShell(call, text, args, null)
    return
  }
  // In Python and Node the first argument is the script itself.
  const first = call.name.startsWith('python') ? ['-'] : ['node', '-']
  const effects = readScriptEffects(text, [...first, ...args.map((field) => field.text)])
  for (const path of effects.paths) recordPath(call.context, literal(path))
  if (effects.unknown) recordChange(call.context, { kind: 'unknown' })
  for (const command of effects.commands) {
    const inner = createSubshell(call.context)
    inner.run.text(inner, command, null)
  }
}

/** The index of the first word that is neither an option nor an option's value. */
function firstOperand(args: readonly Field[], values: RegExp): number | null {
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!
    if (values.test(text)) at++
    else if (!text.startsWith('-') || text === '-') return at
  }
  return null
}

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash'])
const PYTHONS = ['python', 'python2', 'python3', 'pypy', 'pypy3', 'ipython']
const NODES = ['node', 'nodejs', 'tsx', 'ts-node', 'esno']

export const INTERPRETERS: readonly (readonly [string, Program])[] = [
  ...PYTHONS.map((name) => [name, python] as const),
  ...NODES.map((name) => [name, node] as const),
  ...[...SHELLS].map((name) => [name, shell] as const),
  ['perl', perl],
  ['ruby', perl],
  ['php', node],
]
