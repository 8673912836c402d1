import { isJsonObject, type JsonObject } from '../../core/words/json.ts'

const outputsOfText: ReadonlySet<unknown> = new Set(['text', 'error-text'])

/**
 * True if a part has the fields that its type requires. Unknown types are accepted, because a later version of the SDK
 * may add them.
 */
export function hasPartShape(part: unknown): part is JsonObject {
  if (!isJsonObject(part) || typeof part.type !== 'string') return false
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string'
    case 'image':
      return part.image !== undefined
    case 'file':
    case 'reasoning-file':
      return part.data !== undefined && typeof part.mediaType === 'string'
    case 'tool-call':
      return isId(part.toolCallId) && typeof part.toolName === 'string' && part.input !== undefined
    case 'tool-result':
      return isId(part.toolCallId) && typeof part.toolName === 'string' && hasOutputShape(part)
    case 'tool-approval-request':
      return isId(part.approvalId) && isId(part.toolCallId)
    case 'tool-approval-response':
      return isId(part.approvalId) && typeof part.approved === 'boolean'
    default:
      return true
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function hasOutputShape({ output }: JsonObject): boolean {
  if (!isJsonObject(output)) return false
  const { type, value, reason } = output
  if (outputsOfText.has(type)) return typeof value === 'string'
  if (type === 'execution-denied') return reason === undefined || typeof reason === 'string'
  if (type === 'content') return Array.isArray(value) && value.every(isElement)
  return (type === 'json' || type === 'error-json') && value !== undefined
}

function isElement(element: unknown): boolean {
  if (!isJsonObject(element) || typeof element.type !== 'string') return false
  return element.type !== 'text' || typeof element.text === 'string'
}
