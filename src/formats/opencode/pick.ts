import { isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { plainCopy } from '../object/plain-value.ts'

/**
 * Copies the fields of a message that can reach the model. Data for OpenCode's interface (diffs, previews, snapshots) is
 * large and changes independently of the conversation.
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
  const { error } = info
  return {
    id: plainCopy(info.id),
    role: plainCopy(info.role),
    modelID: plainCopy(info.role === 'user' ? objectOf(info.model).modelID : info.modelID),
    tokens: plainCopy(info.tokens),
    created: plainCopy(objectOf(info.time).created),
    error: plainCopy(isJsonObject(error) ? (error.name ?? 'error') : error),
  }
}

function pickPart(part: unknown): unknown {
  if (!isJsonObject(part)) return plainCopy(part)
  const id = plainCopy(part.id)
  const { type } = part
  switch (type) {
    case 'text':
    case 'reasoning':
      return {
        id,
        type,
        text: plainCopy(part.text),
        ignored: plainCopy(part.ignored),
        metadata: plainCopy(part.metadata),
      }
    case 'file':
      return pickFile(part, id)
    case 'tool':
      return {
        id,
        type,
        tool: plainCopy(part.tool),
        callID: plainCopy(part.callID),
        metadata: plainCopy(part.metadata),
        state: pickState(part.state),
      }
    default:
      return { id, type: plainCopy(type) }
  }
}

function pickFile(file: JsonObject, id: unknown): JsonObject {
  return {
    id,
    type: plainCopy(file.type),
    mime: plainCopy(file.mime),
    filename: plainCopy(file.filename),
    url: plainCopy(file.url),
  }
}

function pickState(state: unknown): unknown {
  if (!isJsonObject(state)) return plainCopy(state)
  const { status, attachments } = state
  const { interrupted, output: printed } = objectOf(state.metadata)
  return {
    status: plainCopy(status),
    input: plainCopy(state.input),
    raw: status === 'pending' ? plainCopy(state.raw) : undefined,
    output: plainCopy(state.output),
    error: plainCopy(state.error),
    // For an interrupted command, the model gets the output so far.
    printed: status === 'error' && interrupted === true ? plainCopy(printed) : undefined,
    timed: isJsonObject(state.time),
    compacted: plainCopy(objectOf(state.time).compacted),
    attachments: Array.isArray(attachments) ? attachments.map(pickAttachment) : undefined,
  }
}

function pickAttachment(file: unknown): unknown {
  return isJsonObject(file) ? pickFile(file, undefined) : (plainCopy(file) ?? null)
}
