import { posix } from 'node:path'
import { type Field, literal } from '../context.ts'
import { hasFlag, optionValue, readOptions } from '../options.ts'
import { OTHER, type Output, SILENT, someLines } from '../output.ts'
import { recordChange, recordPath, recordWrite } from '../record.ts'
import { type Call, type Program, readInput } from './program.ts'

const tee: Program = (call) => {
  const options = readOptions(call.args)
  const input = call.stdin ?? OTHER
  const append = hasFlag(options, '-a', '--append')
  for (const field of options.operands) recordWrite(call.context, field, input, { append })
  return input
}

const sponge: Program = (call) => {
  const file = readOptions(call.args).operands[0]
  if (file !== undefined) recordPath(call.context, file)
  return SILENT
}

const dd: Program = (call) => {
  const target = call.args.find((field) => field.text.startsWith('of='))
  if (target !== undefined) recordPath(call.context, { ...target, text: target.text.slice(3) })
  return OTHER
}

const sort: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'oktST',
    long: ['output', 'key', 'field-separator'],
  })
  const target = optionValue(options, '-o', '--output')
  if (target === null) return someLines(readInput(call, options.operands))
  recordPath(call.context, target)
  return SILENT
}

const curl: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'oXHdFAubcmTewKDErxz',
    long: ['output', 'request', 'header', 'data', 'data-raw', 'form', 'url', 'user', 'max-time'],
  })
  const target = optionValue(options, '-o', '--output')
  if (target !== null) recordPath(call.context, target)
  if (hasFlag(options, '-O', '--remote-name')) recordDownload(call, options.operands)
  return OTHER
}

const wget: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'OPoUTt',
    long: ['output-document', 'directory-prefix', 'header', 'user-agent', 'timeout', 'tries'],
  })
  const target = optionValue(options, '-O', '--output-document')
  if (target?.text === '-' || hasFlag(options, '--spider')) return OTHER
  if (target !== null) recordPath(call.context, target)
  else
    recordDownload(call, options.operands, optionValue(options, '-P', '--directory-prefix')?.text)
  return OTHER
}

/** Records a download, which is named after the last segment of the URL. */
function recordDownload(call: Call, urls: readonly Field[], directory = ''): void {
  for (const url of urls) {
    const name = url.text.replace(/[?#].*$/s, '').replace(/^\w+:\/\/[^/]*/, '')
    const file = posix.basename(name)
    const path = posix.join(directory, file === '' ? 'index.html' : file)
    // A question mark in a URL is rarely a glob.
    recordPath(call.context, url.kind === 'glob' ? literal(path) : { ...url, text: path })
  }
}

const tar: Program = (call) => {
  const first = call.args[0]?.text ?? ''
  const options = readOptions(call.args, { short: 'fC', long: ['file', 'directory'] })
  const letters = /^\w+$/.test(first) ? first : ''
  const extracts = letters.includes('x') || hasFlag(options, '-x', '--extract', '--get')
  if (extracts) recordChange(call.context, { kind: 'unknown' })
  const creates = hasFlag(options, '-c', '--create')
  const archive = optionValue(options, '-f', '--file')
  if (creates && archive !== null && archive.text !== '-') recordPath(call.context, archive)
  return OTHER
}

const unzip: Program = (call) => {
  const options = readOptions(call.args, { short: 'dx' })
  const looks = hasFlag(options, '-l', '-p', '-t', '-Z', '-v')
  if (!looks) recordChange(call.context, { kind: 'unknown' })
  return OTHER
}

const compress: Program = (call) => {
  const options = readOptions(call.args)
  if (hasFlag(options, '-c', '--stdout', '-l', '-t')) return OTHER
  for (const field of options.operands) {
    recordPath(call.context, field)
    const other = field.text.endsWith('.gz') ? field.text.slice(0, -3) : `${field.text}.gz`
    recordPath(call.context, { ...field, text: other })
  }
  return SILENT
}

/** Rewrites the files it is given: `dos2unix`, `ed`, `ex`. */
const rewriteOperands: Program = (call) => {
  const options = readOptions(call.args, { short: 'c', long: ['cmd'] })
  for (const field of options.operands) recordPath(call.context, field)
  return OTHER
}

/** `sd old new file`; without a file it only filters. */
const sd: Program = (call) => {
  const options = readOptions(call.args, { short: 'fn', long: ['flags', 'max-replacements'] })
  const files = options.operands.slice(2)
  if (hasFlag(options, '-p', '--preview')) return OTHER
  for (const field of files) recordPath(call.context, field)
  return files.length > 0 ? SILENT : someLines(call.stdin ?? OTHER)
}

/** May write any file: `rsync`, `rename`, codemods that find their own files. */
const changeAnything: Program = (call) => {
  const dry = call.args.some((field) =>
    /^(?:-n|--dry-run|--dry|--help|--version)$/.test(field.text),
  )
  if (!dry) recordChange(call.context, { kind: 'unknown' })
  return OTHER
}

const yq: Program = (call) => {
  const options = readOptions(call.args, { short: 'Iop' })
  const files = options.operands.slice(1)
  if (!hasFlag(options, '-i', '--inplace')) return someLines(readInput(call, files))
  for (const field of files) recordPath(call.context, field)
  return SILENT
}

const split: Program = (call): Output => {
  recordPath(call.context, literal(readOptions(call.args).operands[1]?.text ?? 'xaa'))
  return SILENT
}

export const WRITERS: readonly (readonly [string, Program])[] = [
  ['tee', tee],
  ['sponge', sponge],
  ['dd', dd],
  ['sort', sort],
  ['curl', curl],
  ['wget', wget],
  ['tar', tar],
  ['bsdtar', tar],
  ['unzip', unzip],
  ['gzip', compress],
  ['gunzip', compress],
  ['split', split],
  ['dos2unix', rewriteOperands],
  ['unix2dos', rewriteOperands],
  ['ed', rewriteOperands],
  ['ex', rewriteOperands],
  ['vim', rewriteOperands],
  ['vi', rewriteOperands],
  ['nano', rewriteOperands],
  ['sd', sd],
  ['yq', yq],
  ['rsync', changeAnything],
  ['rename', changeAnything],
  ['fastmod', changeAnything],
  ['codemod', changeAnything],
  ['cookiecutter', changeAnything],
  ['lint-staged', changeAnything],
]
