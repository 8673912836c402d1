import { addToList } from '../../core/words/lists.ts'
import type { Field } from './context.ts'

/** Which options of a program take a value: single letters in `short`, names without dashes in `long`. */
export interface OptionSyntax {
  readonly short?: string
  readonly long?: readonly string[]
}

export interface Options {
  /** Options with their dashes; `-nE` becomes `-n` and `-E`, and `--a=b` becomes `--a`. */
  readonly flags: ReadonlySet<string>
  /** Values by option, in order. Options without a value have no entry. */
  readonly values: ReadonlyMap<string, readonly Field[]>
  readonly operands: readonly Field[]
  /** The operands after `--`, or null. */
  readonly afterDashes: readonly Field[] | null
}

/** Reads a program's arguments the way getopt does, operands and options in any order. */
export function readOptions(args: readonly Field[], syntax: OptionSyntax = {}): Options {
  const flags = new Set<string>()
  const values = new Map<string, Field[]>()
  const operands: Field[] = []
  const short = syntax.short ?? ''
  const long = new Set(syntax.long)
  const give = (option: string, value: Field | undefined): void => {
    if (value !== undefined) addToList(values, option, value)
  }
  let afterDashes: readonly Field[] | null = null
  for (let index = 0; index < args.length; index++) {
    const field = args[index]!
    const { text } = field
    if (field.kind === 'unknown' && text.startsWith('$')) operands.push(field)
    else if (text === '--') {
      afterDashes = args.slice(index + 1)
      operands.push(...afterDashes)
      break
    } else if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      const option = equals === -1 ? text : text.slice(0, equals)
      flags.add(option)
      if (equals !== -1) give(option, { ...field, text: text.slice(equals + 1) })
      else if (long.has(option.slice(2))) give(option, args[++index])
    } else if (text.startsWith('-') && text.length > 1) {
      for (let at = 1; at < text.length; at++) {
        const option = `-${text[at]}`
        flags.add(option)
        if (!short.includes(text[at]!)) continue
        const rest = text.slice(at + 1)
        give(option, rest === '' ? args[++index] : { ...field, text: rest })
        break
      }
    } else operands.push(field)
  }
  return { flags, values, operands, afterDashes }
}

export function hasFlag(options: Options, ...names: readonly string[]): boolean {
  return names.some((name) => options.flags.has(name))
}

/** The last value of any of the names. */
export function optionValue(options: Options, ...names: readonly string[]): Field | null {
  for (const name of names) {
    const value = options.values.get(name)?.at(-1)
    if (value !== undefined) return value
  }
  return null
}
