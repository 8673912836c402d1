import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import type { ModelRequest } from './api.ts'
import { asString } from './json.ts'

/** A tool that the client offered. `properties` are the names of its input's fields. */
export interface OfferedTool {
  readonly name: string
  /** `custom` takes text of its own grammar instead of JSON, `search` finds other tools (OpenAI Responses). */
  readonly kind: 'function' | 'custom' | 'search'
  readonly properties: JsonObject
  readonly namespace?: string
}

export type OfferedTools = ReadonlyMap<string, OfferedTool>

/** The tools of a request, by name. Tools that the provider itself runs are left out. */
export function offeredTools(request: ModelRequest): OfferedTools {
  const offered = [...arrayOf(request.body.tools), ...foundTools(request)]
  const tools = offered.flatMap((tool) => readTool(request, objectOf(tool)))
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** What a search for tools has brought so far (OpenAI Responses). */
function foundTools({ body }: ModelRequest): readonly unknown[] {
  return arrayOf(body.input).flatMap((item) => {
    const { type, tools } = objectOf(item)
    return type === 'tool_search_output' ? arrayOf(tools) : []
  })
}

function readTool(request: ModelRequest, tool: JsonObject): readonly OfferedTool[] {
  switch (request.api) {
    case 'anthropic':
      return isJsonObject(tool.input_schema) ? [functionTool(tool.name, tool.input_schema)] : []
    case 'openai-chat': {
      const declared = objectOf(tool.function)
      return tool.type === 'function' ? [functionTool(declared.name, declared.parameters)] : []
    }
    case 'openai-responses':
      return readResponsesTool(tool)
    case 'gemini':
      return arrayOf(tool.functionDeclarations ?? tool.function_declarations).map((entry) => {
        const declared = objectOf(entry)
        return functionTool(declared.name, declared.parameters ?? declared.parametersJsonSchema)
      })
  }
}

function readResponsesTool(tool: JsonObject): readonly OfferedTool[] {
  switch (tool.type) {
    case 'function':
      return [functionTool(tool.name, tool.parameters)]
    case 'custom':
      return [{ name: asString(tool.name), kind: 'custom', properties: {} }]
    case 'tool_search':
      return [{ name: 'tool_search', kind: 'search', properties: {} }]
    case 'namespace':
      return arrayOf(tool.tools).map((entry) => {
        const inner = objectOf(entry)
        const namespace = asString(tool.name)
        return { ...functionTool(inner.name, inner.parameters), namespace }
      })
    default:
      return []
  }
}

function functionTool(name: unknown, schema: unknown): OfferedTool {
  const properties = objectOf(objectOf(schema).properties)
  return { name: asString(name), kind: 'function', properties }
}
