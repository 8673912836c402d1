import type { ParsedScript, Word, WordPart } from 'unbash'
import { withoutTrailing } from '../../core/words/text.ts'
import { expandBraces } from './brace.ts'
import { DEEPEST, type Field, literal, type ShellContext } from './context.ts'
import { expandParameter, lookUp } from './parameter.ts'
import { getVariable } from './variables.ts'

/** The value of a part of a word. Only braces give several texts. */
interface Value {
  readonly texts: readonly string[]
  readonly kind: Field['kind']
}

/**
 * Expands a word to fields. Commands inside `$(…)` are interpreted for their changes and their output. A word that depends
 * on anything outside the command is one field of kind `unknown`.
 */
export function expandWord(context: ShellContext, word: Word): readonly Field[] {
  const parts = word.parts
  if (parts === undefined) return [literal(word.value)]
  const list = expandList(context, parts)
  if (list !== null) return list
  let fields: readonly Field[] = [literal('')]
  for (const part of parts) {
    const value = expandPart(context, part, { quoted: false })
    fields = fields.flatMap((field) => value.texts.map((text) => extend(field, text, value.kind)))
    if (fields.length > 256) return [{ text: word.text, kind: 'unknown' }]
  }
  if (fields.some((field) => field.kind === 'unknown'))
    return [{ text: word.text, kind: 'unknown' }]
  return parts.length === 1 && isExpansion(parts[0]!) ? fields.flatMap(splitField) : fields
}

/** Expands a word to one field: a redirect's target, an assignment's value. */
export function expandSingle(context: ShellContext, word: Word): Field {
  const fields = expandWord(context, word)
  if (fields.length === 1) return fields[0]!
  const known = fields.every((field) => field.kind === 'literal')
  return known
    ? literal(fields.map((field) => field.text).join(' '))
    : { text: word.text, kind: 'unknown' }
}

/** Expands text without splitting it: the body of a heredoc, the inside of double quotes. */
export function expandText(context: ShellContext, parts: readonly WordPart[]): Field {
  const joined: string[] = []
  let kind: Field['kind'] = 'literal'
  for (const part of parts) {
    const value = expandPart(context, part, { quoted: true })
    joined.push(value.texts[0] ?? '')
    kind = stronger(kind, value.kind === 'glob' ? 'literal' : value.kind)
  }
  return { text: joined.join(''), kind }
}

/** `"${FILES[@]}"` and `"$@"` become one field for each element. */
function expandList(context: ShellContext, parts: readonly WordPart[]): readonly Field[] | null {
  const only = parts.length === 1 ? parts[0]! : null
  const part = only?.type === 'DoubleQuoted' && only.parts.length === 1 ? only.parts[0]! : only
  if (part === null) return null
  if (part.type === 'SimpleExpansion' && (part.text === '$@' || part.text === '$*')) {
    return getList(context, '@')
  }
  if (part.type !== 'ParameterExpansion' || part.prefix !== undefined) return null
  if (part.operation !== undefined) return null
  const all = part.parameter === '@' || part.index?.text === '@' || part.index?.text === '*'
  return all ? getList(context, part.parameter) : null
}

function getList(context: ShellContext, name: string): readonly Field[] | null {
  const list = getVariable(context.scope, name)
  if (list === undefined) return null
  for (const field of list) context.effects.expansionBudget -= field.text.length + 8
  return context.effects.expansionBudget < 0 ? null : list
}

function expandPart(
  context: ShellContext,
  part: WordPart,
  options: { readonly quoted: boolean },
): Value {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { texts: [part.value], kind: 'literal' }
    case 'Glob':
    case 'ExtendedGlob':
      return { texts: [part.text], kind: options.quoted ? 'literal' : 'glob' }
    case 'DoubleQuoted':
    case 'LocaleString':
      return toValue(expandText(context, part.parts))
    case 'BraceExpansion': {
      const texts = expandBraces(part.text)
      context.effects.expansionBudget -= (texts?.length ?? 0) * 8
      if (context.effects.expansionBudget < 0) return unknownValue(part.text)
      return texts === null ? unknownValue(part.text) : { texts, kind: 'literal' }
    }
    case 'SimpleExpansion':
      return toValue(lookUp(context, part.text.slice(1)))
    case 'ParameterExpansion':
      return toValue(expandParameter(context, part))
    case 'CommandExpansion':
      return toValue(expandCommand(context, part.script, part.text))
    case 'ProcessSubstitution':
      if (part.script !== undefined && context.depth < DEEPEST)
        context.run.substitution(context, part.script)
      return unknownValue(part.text)
    case 'ArithmeticExpansion':
      return unknownValue(part.text)
  }
}

function expandCommand(
  context: ShellContext,
  script: ParsedScript | undefined,
  text: string,
): Field {
  if (script === undefined || context.depth >= DEEPEST) return { text, kind: 'unknown' }
  if (isBareCommand(script, 'pwd')) return lookUp(context, 'PWD')
  const output = context.run.substitution(context, script)
  const texts: string[] = []
  let kind: Field['kind'] = 'literal'
  for (const piece of output) {
    if (piece.kind === 'text') texts.push(piece.text)
    else kind = stronger(kind, piece.kind === 'temporary' ? 'temporary' : 'unknown')
  }
  return { text: kind === 'unknown' ? text : withoutTrailing(texts.join(''), '\n'), kind }
}

function isBareCommand(script: ParsedScript, name: string): boolean {
  const command = script.commands[0]?.command
  if (script.commands.length !== 1 || command?.type !== 'Command') return false
  return command.name?.value === name && command.suffix.length === 0
}

function isExpansion(part: WordPart): boolean {
  return (
    part.type === 'SimpleExpansion' ||
    part.type === 'ParameterExpansion' ||
    part.type === 'CommandExpansion'
  )
}

function splitField(field: Field): readonly Field[] {
  if (!/[ \t\n]/.test(field.text)) return [field]
  return field.text
    .split(/[ \t\n]+/)
    .filter((text) => text !== '')
    .map((text) => ({ text, kind: /[*?[]/.test(text) ? 'glob' : field.kind }))
}

function toValue(field: Field): Value {
  return { texts: [field.text], kind: field.kind }
}

function unknownValue(text: string): Value {
  return { texts: [text], kind: 'unknown' }
}

function extend(field: Field, text: string, kind: Field['kind']): Field {
  return { text: field.text + text, kind: stronger(field.kind, kind) }
}

const STRENGTH = { literal: 0, glob: 1, temporary: 2, unknown: 3 } as const

function stronger(first: Field['kind'], second: Field['kind']): Field['kind'] {
  return STRENGTH[first] >= STRENGTH[second] ? first : second
}
