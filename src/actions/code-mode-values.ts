import type { Expression, Property, SpreadElement } from 'acorn'

/** Constants of a program, by name. */
export type Constants = ReadonlyMap<string, unknown>

/** A value that is known without running the program. */
export interface KnownValue {
  readonly value: unknown
}

/** The value of a literal, list or object, strings joined with `+`, or a constant. null if only running it would tell. */
export function knownValue(
  node: Expression | SpreadElement | null,
  constants: Constants,
): KnownValue | null {
  switch (node?.type) {
    case 'Literal':
      return node.regex || node.bigint ? null : { value: node.value }
    case 'TemplateLiteral':
      return node.expressions.length > 0 ? null : { value: node.quasis[0]?.value.cooked }
    case 'TaggedTemplateExpression': {
      const { tag, quasi } = node
      const isRaw = isMember(tag, 'String', 'raw') && quasi.expressions.length === 0
      return isRaw ? { value: quasi.quasis[0]?.value.raw } : null
    }
    case 'Identifier':
      return named(node.name, constants)
    case 'BinaryExpression': {
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') return null
      const texts = textsOf([node.left, node.right], constants)
      return texts === null ? null : { value: texts.join('') }
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node
      const isJoin = callee.type === 'MemberExpression' && nameOf(callee.property) === 'join'
      if (!isJoin || callee.object.type !== 'ArrayExpression' || given.length !== 1) return null
      const texts = textsOf(callee.object.elements, constants)
      const separator = textsOf(given, constants)
      return texts === null || separator === null ? null : { value: texts.join(separator[0]) }
    }
    case 'ArrayExpression': {
      const values = node.elements.map((element) => knownValue(element, constants))
      return values.includes(null) ? null : { value: values.map((each) => each?.value) }
    }
    case 'ObjectExpression':
      return objectOf(node.properties, constants)
    default:
      return null
  }
}

function named(name: string, constants: Constants): KnownValue | null {
  if (name === 'undefined') return { value: undefined }
  return constants.has(name) ? { value: constants.get(name) } : null
}

function textsOf(
  nodes: readonly (Expression | SpreadElement | null)[],
  constants: Constants,
): readonly string[] | null {
  const texts = nodes.map((node) => knownValue(node, constants)?.value)
  return texts.every((text) => typeof text === 'string') ? texts : null
}

function objectOf(
  properties: readonly (Property | SpreadElement)[],
  constants: Constants,
): KnownValue | null {
  const value: Record<string, unknown> = {}
  for (const property of properties) {
    if (property.type === 'SpreadElement' || property.kind !== 'init') return null
    if (property.computed || property.method) return null
    const { key } = property
    const name = key.type === 'Literal' ? key.value : nameOf(key)
    const read = knownValue(property.value, constants)
    if (typeof name !== 'string' || name === '__proto__' || read === null) return null
    value[name] = read.value
  }
  return { value }
}

/** The name of an identifier; null for any other node. */
export function nameOf(node: { readonly type: string } | null | undefined): string | null {
  return node?.type === 'Identifier' && 'name' in node ? String(node.name) : null
}

/** Whether an expression is `object.property`. */
export function isMember(
  node: { readonly type: string },
  object: string,
  property: string,
): boolean {
  const member = node as Expression
  if (member.type !== 'MemberExpression' || member.computed || member.optional) return false
  return nameOf(member.object) === object && nameOf(member.property) === property
}
