import type { ParameterExpansionPart } from 'unbash'
import { type Field, literal, type ShellContext } from './context.ts'
import { getVariable } from './variables.ts'

/** The value of `$name`, if the command itself assigns it. */
export function lookUp(context: ShellContext, name: string): Field {
  const unknown: Field = { text: `$${name}`, kind: 'unknown' }
  const known = getVariable(context.scope, name)
  if (known !== undefined) {
    const value = known[0] ?? literal('')
    context.effects.expansionBudget -= value.text.length
    return context.effects.expansionBudget < 0 ? unknown : value
  }
  switch (name) {
    case 'HOME':
      return literal('~')
    case 'PWD':
      if (context.directory === null) return unknown
      return literal(context.directory === '' ? '.' : context.directory)
    case 'TMPDIR':
      return { text: '/tmp', kind: 'temporary' }
    default:
      return unknown
  }
}

/** The value of `${…}`: a variable, an array element, or a path with a prefix or suffix removed. */
export function expandParameter(context: ShellContext, part: ParameterExpansionPart): Field {
  const unknown: Field = { text: part.text, kind: 'unknown' }
  if (part.prefix !== undefined) return unknown
  const value = part.index === undefined ? lookUp(context, part.parameter) : element(context, part)
  if (value === null || value.kind === 'unknown') return unknown
  const { operation } = part
  if (operation === undefined) return value
  if (value.kind !== 'literal') return value.kind === 'temporary' ? value : unknown
  switch (operation.type) {
    case 'Default':
      return operation.operator === '+' || operation.operator === ':+' ? unknown : value
    case 'Remove': {
      const rest = removeMatch(value.text, operation.operator, operation.operand.text)
      return rest === null ? unknown : literal(rest)
    }
    default:
      return unknown
  }
}

function element(context: ShellContext, part: ParameterExpansionPart): Field | null {
  const index = Number(part.index?.text)
  return getVariable(context.scope, part.parameter)?.[index] ?? null
}

function removeMatch(text: string, operator: string, pattern: string): string | null {
  if (operator === '##' && pattern === '*/') return text.slice(text.lastIndexOf('/') + 1)
  if (operator === '%' && pattern === '/*') {
    const slash = text.lastIndexOf('/')
    return slash === -1 ? text : text.slice(0, slash)
  }
  if (operator === '%' && pattern === '.*') {
    const dot = text.lastIndexOf('.')
    return dot === -1 ? text : text.slice(0, dot)
  }
  if (/[*?[\\$'"`]/.test(pattern)) return null
  if (operator.startsWith('%')) {
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text
  }
  return text.startsWith(pattern) ? text.slice(pattern.length) : text
}
