import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** The host's tools that change files. */
const editTools: ReadonlySet<string> = new Set(['edit', 'write', 'apply_patch', 'multiedit'])

const intent = { type: 'string', description: 'Why, in a few words.' }

/**
 * Offers an optional `intent` with every tool that changes files. The host takes what its tool does not know out of the
 * input before the tool runs, and stores the input as the model wrote it. A schema that is not understood stays as it is.
 */
export function addIntent(
  tool: string,
  output: { readonly parameters: unknown; jsonSchema?: unknown },
): void {
  if (!editTools.has(tool)) return
  const schema = isJsonObject(output.jsonSchema) ? output.jsonSchema : schemaOf(output.parameters)
  if (schema === null) return
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  output.jsonSchema = { ...schema, properties: { ...properties, intent } }
}

/** The JSON schema of the host's own structures, as far as they consist of plain fields; null beyond that. */
function schemaOf(parameters: unknown): JsonObject | null {
  const fields = memberOf(parameters, 'fields')
  if (!isJsonObject(fields)) return null
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    const ast = memberOf(field, 'ast')
    const type = typeOf(ast)
    if (type === null) return null
    const description = memberOf(memberOf(ast, 'annotations'), 'description')
    properties[name] = { type, ...(typeof description === 'string' ? { description } : {}) }
    if (memberOf(memberOf(ast, 'context'), 'isOptional') !== true) required.push(name)
  }
  return { type: 'object', properties, required }
}

const plainTypes: Readonly<Record<string, string>> = {
  String: 'string',
  Boolean: 'boolean',
  Number: 'number',
}

/** Of an optional field, the type beside `undefined`. */
function typeOf(ast: unknown): string | null {
  const tag = memberOf(ast, '_tag')
  if (tag !== 'Union') return plainTypes[String(tag)] ?? null
  const types = memberOf(ast, 'types')
  const rest = Array.isArray(types)
    ? types.filter((each) => memberOf(each, '_tag') !== 'Undefined')
    : []
  return rest.length === 1 ? typeOf(rest[0]) : null
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isHolder ? Reflect.get(value, name) : undefined
}
