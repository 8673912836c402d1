import { isJsonObject, type JsonObject } from '../json-value.ts'
import { plainCopy } from '../object/plain-value.ts'

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/**
 * What the model can come to see of a message, and no more: what OpenCode keeps beside it for its own screens
 * (diffs, previews, snapshots) is as large again, and changes when nothing was said.
 */
export function pickMessage(message: unknown): unknown {
  if (!isJsonObject(message)) return plainCopy(message)
  const { info, parts } = message
  return {
    info: isJsonObject(info) ? pickInfo(info) : plainCopy(info),
    parts: Array.isArray(parts) ? parts.map(pickPart) : null,
  }
}

function pickInfo(info: JsonObject): JsonObject {
  const { id, role, modelID, tokens, error } = info
  return plainCopy({
    id,
    role,
    modelID: role === 'user' ? objectOf(info.model).modelID : modelID,
    tokens,
    created: objectOf(info.time).created,
    error: isJsonObject(error) ? (error.name ?? 'error') : error,
  }) as JsonObject
}

function pickPart(part: unknown): unknown {
  if (!isJsonObject(part)) return plainCopy(part)
  const { id, type } = part
  switch (type) {
    case 'text':
    case 'reasoning': {
      const { text, ignored, metadata } = part
      return plainCopy({ id, type, text, ignored, metadata })
    }
    case 'file':
      return plainCopy({ id, ...pickFile(part) })
    case 'tool': {
      const { tool, callID, metadata } = part
      return plainCopy({ id, type, tool, callID, metadata, state: pickState(part.state) })
    }
    default:
      return plainCopy({ id, type })
  }
}

function pickFile({ type, mime, filename, url }: JsonObject): JsonObject {
  return { type, mime, filename, url }
}

function pickState(state: unknown): unknown {
  if (!isJsonObject(state)) return state
  const { status, input, raw, output, error, attachments } = state
  const { interrupted, output: printed } = objectOf(state.metadata)
  return {
    status,
    input,
    raw: status === 'pending' ? raw : undefined,
    output,
    error,
    // What an interrupted command had printed is all that the model sees of it.
    printed: status === 'error' && interrupted === true ? printed : undefined,
    timed: isJsonObject(state.time),
    compacted: objectOf(state.time).compacted,
    attachments: Array.isArray(attachments)
      ? attachments.map((file: unknown) => (isJsonObject(file) ? pickFile(file) : file))
      : undefined,
  }
}
