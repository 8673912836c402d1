import type { LineRange } from '../../../core/words/action.ts'
import { hasFlag, readOptions } from '../options.ts'
import { numberLines, type Output, reworded, SILENT, selectLines, someLines } from '../output.ts'
import { recordPath } from '../record.ts'
import { type Program, readInput } from './program.ts'

export const awk: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'Fvfi',
    long: ['field-separator', 'assign', 'file', 'include'],
  })
  const fromFile = hasFlag(options, '-f', '--file')
  const script = fromFile ? undefined : options.operands[0]
  const files = (fromFile ? options.operands : options.operands.slice(1)).filter(
    (field) => !/^\w+=/.test(field.text),
  )
  const included = [...(options.values.get('-i') ?? []), ...(options.values.get('--include') ?? [])]
  if (included.some((field) => field.text === 'inplace')) {
    for (const file of files) recordPath(call.context, file)
    return SILENT
  }
  const input = readInput(call, files)
  if (script === undefined || script.kind === 'unknown') return someLines(input)
  return select(input, script.text.trim())
}

/** A numbered line is `number, separator, line`. Other separators could belong to the text. */
const PRINT = String.raw`print(?:\s+\$0)?;?`
const PRINT_NUMBERED = String.raw`print\s+F?NR\s*(?:"(:\s|\\t|\|)"|,)\s*\$0;?`
const ACTION = new RegExp(
  String.raw`^(.*?)\s*(?:\{\s*(?:${PRINT}|(${PRINT_NUMBERED}))\s*\})?$`,
  's',
)

function select(input: Output, script: string): Output {
  const match = script.length > 500 ? null : ACTION.exec(script)
  const prints = /\bprintf?\b[^}]*\bF?NR\b/.test(script.slice(0, 500))
  const rest = prints ? numberLines(someLines(input), 1) : someLines(input)
  if (match === null) return rest
  const [, condition, numberedAction, separator] = match
  const range = readCondition(condition!.replaceAll(/F?NR/g, 'NR').replaceAll(/\s+/g, ''))
  if (range === null) return rest
  const numbered = numberedAction !== undefined
  // NR equals the file's line number only if the input is the whole file.
  const source = numbered ? numberLines(input, 1) : input
  const shown = selectLines(source, range.start, range.end)
  return numbered && separator === undefined ? reworded(shown) : shown
}

function readCondition(condition: string): LineRange | null {
  if (condition === '' || condition === '1') return { start: 1, end: null }
  const pair = /^NR==(\d+),NR==(\d+)$/.exec(condition)
  if (pair !== null) return { start: Number(pair[1]), end: Number(pair[2]) }
  let start = 1
  let end: number | null = null
  for (const term of condition.replaceAll(/[()]/g, '').split('&&')) {
    const match = /^NR(>=|>|<=|<|==)(\d+)$/.exec(term)
    if (match === null) return null
    const line = Number(match[2])
    if (match[1] === '>=') start = line
    else if (match[1] === '>') start = line + 1
    else if (match[1] === '<=') end = line
    else if (match[1] === '<') end = line - 1
    else {
      start = line
      end = line
    }
  }
  return start >= 1 && (end === null || end >= start) ? { start, end } : null
}
