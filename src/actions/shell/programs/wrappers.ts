import { createSubshell, type Field, literal } from '../context.ts'
import { OTHER, type Output, reworded } from '../output.ts'
import { recordChange } from '../record.ts'
import type { Call, Program } from './program.ts'

/** Runs the rest of its words. `values` are its options with a value, `words` the number of its own operands. */
interface Wrapper {
  readonly values?: RegExp
  readonly words?: number
  readonly assignments?: boolean
  /** True if it shortens the program's output. */
  readonly rewords?: boolean
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: /^(?:-u|-C|--unset|--chdir)$/, assignments: true },
  sudo: { values: /^(?:-u|-g|-p|-C|-h|-U|--user|--group)$/, assignments: true },
  doas: { values: /^(?:-u|-C)$/ },
  time: { values: /^(?:-f|-o|--format|--output)$/ },
  timeout: { values: /^(?:-k|-s|--kill-after|--signal)$/, words: 1 },
  gtimeout: { values: /^(?:-k|-s|--kill-after|--signal)$/, words: 1 },
  nohup: {},
  nice: { values: /^(?:-n|--adjustment)$/ },
  ionice: { values: /^(?:-c|-n|-p)$/ },
  stdbuf: { values: /^-[ioe]$/ },
  setsid: {},
  command: {},
  builtin: {},
  exec: { values: /^-a$/ },
  noglob: {},
  unbuffer: {},
  'xvfb-run': {},
  rtk: { rewords: true },
}

/** With one of these options it only prints the program's path. */
const LOOKS_UP = /^-[vV]$/

const wrap: Program = (call) => {
  const wrapper = WRAPPERS[call.name] ?? {}
  if (call.name === 'command' && LOOKS_UP.test(call.args[0]?.text ?? '')) return OTHER
  const inner = wrappedWords(call.args, wrapper)
  if (inner.length === 0) return OTHER
  const output = call.context.run.words(call.context, inner, call.stdin)
  return wrapper.rewords === true ? reworded(output) : output
}

function wrappedWords(args: readonly Field[], wrapper: Wrapper): readonly Field[] {
  let at = 0
  for (; at < args.length; at++) {
    const { text } = args[at]!
    if (text === '--') {
      at++
      break
    }
    if (wrapper.values?.test(text) === true) at++
    else if (!(text.startsWith('-') || (wrapper.assignments === true && /^\w+=/.test(text)))) break
  }
  return args.slice(at + (wrapper.words ?? 0))
}

const evaluate: Program = (call) => {
  if (call.args.every((field) => field.kind === 'literal')) {
    const text = call.args.map((field) => field.text).join(' ')
    const inner = { ...call.context, depth: call.context.depth + 1 }
    return inner.run.text(inner, text, call.stdin)
  }
  recordChange(call.context, { kind: 'unknown' })
  return OTHER
}

/** Stands for file names that only running the command would tell. */
const UNNAMED: Field = { text: '$file', kind: 'unknown' }

/** `xargs cmd`: the files are unknown, so a command that changes its operands may change any file. */
const xargs: Program = (call) => {
  const options = /^(?:-[IidEeLlnPsa]|--max-args|--max-procs|--replace|--delimiter)$/
  const words = wrappedWords(call.args, { values: options })
  runUnnamed(call, words, '{}')
  return OTHER
}

/** Runs a command for unknown files and keeps only its changes. */
export function runUnnamed(call: Call, words: readonly Field[], mark: string): void {
  if (words.length === 0) return
  const placed = words.map((field) =>
    field.text.includes(mark) && field.text.length < 200 ? unnamedIn(field, mark) : field,
  )
  const named = placed.some((field, index) => field !== words[index])
  const inner = createSubshell(call.context)
  inner.run.words(inner, named ? placed : [...placed, UNNAMED], null)
}

/** Replaces the mark inside a script with an unknown variable. */
function unnamedIn(field: Field, mark: string): Field {
  return field.text === mark ? UNNAMED : literal(field.text.replaceAll(mark, '$file'))
}

/** `find … -exec cmd {} +`, `find … -delete`. */
const find: Program = (call): Output => {
  const { args, context } = call
  let commands = 0
  args.forEach((field, index) => {
    if (field.text === '-delete') recordChange(context, { kind: 'unknown' })
    if (/^-(?:exec|execdir|ok|okdir)$/.test(field.text) && commands++ < 16) {
      const rest = args.slice(index + 1)
      const end = rest.findIndex((word) => word.text === ';' || word.text === '+')
      if (end !== -1) runUnnamed(call, rest.slice(0, end), '{}')
    }
    if (/^-(?:fprint0?|fprintf|fls)$/.test(field.text)) recordChange(context, { kind: 'unknown' })
  })
  return OTHER
}

const parallel: Program = (call) => {
  runUnnamed(call, wrappedWords(call.args, { values: /^(?:-j|-N|-n)$/ }), '{}')
  return OTHER
}

export const WRAPPER_PROGRAMS: readonly (readonly [string, Program])[] = [
  ...Object.keys(WRAPPERS).map((name) => [name, wrap] as const),
  ['eval', evaluate],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
  ['find', find],
]
