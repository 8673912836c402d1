import { posix } from 'node:path'
import { OTHER, type Output, SILENT } from '../output.ts'
import type { Program } from './program.ts'

/** Without `-e`, a text with a backslash is unknown, because shells differ in how `echo` prints it. */
const echo: Program = (call) => {
  let at = 0
  let newline = true
  let escapes = false
  for (; at < call.args.length && /^-[neE]+$/.test(call.args[at]!.text); at++) {
    if (call.args[at]!.text.includes('n')) newline = false
    if (call.args[at]!.text.includes('e')) escapes = true
  }
  const fields = call.args.slice(at)
  if (fields.some((field) => field.kind !== 'literal')) return OTHER
  const text = fields.map((field) => field.text).join(' ')
  if (!text.includes('\\')) return print(text + (newline ? '\n' : ''))
  const decoded = escapes ? decodeEscapes(text) : null
  return decoded === null ? OTHER : print(decoded + (newline ? '\n' : ''))
}

const printf: Program = (call) => {
  const args = call.args[0]?.text === '--' ? call.args.slice(1) : call.args
  if (args.length === 0 || args.some((field) => field.kind !== 'literal')) return OTHER
  if (args[0]!.text === '-v') return OTHER
  const values = args.slice(1).map((field) => field.text)
  const text = formatText(args[0]!.text, values)
  return text === null ? OTHER : print(text)
}

const basename: Program = (call) => {
  const [path, suffix] = call.args
  if (path?.kind !== 'literal' || path.text.startsWith('-')) return OTHER
  return print(`${posix.basename(path.text, suffix?.text ?? '')}\n`)
}

const dirname: Program = (call) => {
  const path = call.args[0]
  if (path?.kind !== 'literal' || call.args.length !== 1) return OTHER
  return print(`${posix.dirname(path.text)}\n`)
}

const mktemp: Program = () => [{ kind: 'temporary' }]

function print(text: string): Output {
  return text === '' ? SILENT : [{ kind: 'text', text }]
}

/** `printf` repeats its format until all arguments are used. */
function formatText(format: string, values: readonly string[]): string | null {
  const parts = format.split(/(%[sd%])/)
  if (parts.some((part, index) => index % 2 === 0 && part.includes('%'))) return null
  const slots = parts.filter((part) => part === '%s' || part === '%d').length
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots))
  const printed: string[] = []
  let next = 0
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      if (part === '%%') printed.push('%')
      else if (part === '%s') printed.push(values[next++] ?? '')
      else if (part === '%d') {
        const value = values[next++] ?? '0'
        if (!/^-?\d+$/.test(value)) return null
        printed.push(value)
      } else {
        const decoded = decodeEscapes(part)
        if (decoded === null) return null
        printed.push(decoded)
      }
    }
  }
  return printed.join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
}

function decodeEscapes(text: string): string | null {
  let known = true
  const decoded = text.replaceAll(/\\(.|$)/gs, (_, character: string) => {
    const value = ESCAPES[character]
    if (value === undefined) known = false
    return value ?? ''
  })
  return known ? decoded : null
}

export const TEXT_PROGRAMS: readonly (readonly [string, Program])[] = [
  ['echo', echo],
  ['printf', printf],
  ['basename', basename],
  ['dirname', dirname],
  ['mktemp', mktemp],
]
