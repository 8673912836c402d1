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
  /** It can be called from programs for this tool alone (Codex's code mode). */
  readonly within?: string
}

export type OfferedTools = ReadonlyMap<string, OfferedTool>

/** The tools of a request, by name. Tools that the provider itself runs are left out. */
export function offeredTools(request: ModelRequest): OfferedTools {
  const offered = [...arrayOf(request.body.tools), ...toolsInInput(request)]
  const tools = offered.flatMap((tool) => readTool(request, objectOf(tool)))
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** Tools that are offered inside the conversation, and those that a search has brought so far (OpenAI Responses). */
function toolsInInput({ body }: ModelRequest): readonly unknown[] {
  return arrayOf(body.input).flatMap((item) => {
    const { type, tools } = objectOf(item)
    return type === 'tool_search_output' || type === 'additional_tools' ? arrayOf(tools) : []
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
      return [customTool(tool.name), ...nestedTools(tool)]
    case 'tool_search':
      return [{ name: 'tool_search', kind: 'search', properties: {} }]
    case 'namespace':
      return arrayOf(tool.tools).flatMap((entry) => {
        const inner = readResponsesTool(objectOf(entry))
        const namespace = asString(tool.name)
        // Codex's own tools have the namespace that the provider gives to all of them.
        return namespace === 'functions' ? inner : inner.map((each) => ({ ...each, namespace }))
      })
    default:
      return []
  }
}

function functionTool(name: unknown, schema: unknown): OfferedTool {
  const properties = objectOf(objectOf(schema).properties)
  return { name: asString(name), kind: 'function', properties }
}

function customTool(name: unknown): OfferedTool {
  return { name: asString(name), kind: 'custom', properties: {} }
}

const declaration = /declare const tools: \{ (\w+)\((\w+): ([\s\S]*?)\): Promise</g

/** The tools that programs for this tool can call, which only its description declares. */
function nestedTools({ name, description }: JsonObject): readonly OfferedTool[] {
  return [...asString(description).matchAll(declaration)].map(([, inner, , type = '']) => {
    const fields = [...type.matchAll(/^ {2}(\w+)\??: /gm)].map(([, field]) => [field, {}])
    const tool = type === 'string' ? customTool(inner) : functionTool(inner, {})
    return { ...tool, properties: Object.fromEntries(fields), within: asString(name) }
  })
}
