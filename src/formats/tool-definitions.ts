import { arrayOf, isJsonObject, type JsonObject } from '../core/words/json.ts'
import type { ToolDefinition } from './wire.ts'

/** Tool definitions by name. A tool that the provider runs is named by its type. */
export function* flatTools(tools: unknown): Generator<ToolDefinition> {
  for (const tool of arrayOf(tools).filter(isJsonObject)) {
    const definition = definitionOf(tool, tool.type === 'function' ? null : tool.type)
    if (definition !== null) yield definition
  }
}

/** null if neither the tool nor `otherwise` has a name. */
export function definitionOf(tool: JsonObject, otherwise: unknown): ToolDefinition | null {
  const name = tool.name ?? otherwise
  if (typeof name !== 'string') return null
  return { name, description: typeof tool.description === 'string' ? tool.description : '' }
}
