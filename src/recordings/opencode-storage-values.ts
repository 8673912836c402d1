import { arrayOf, isJsonObject, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { textOf } from './json-fields.ts'

/** A value of OpenCode's storage. Projects, shares, todo lists and diffs are not part of a conversation. */
export type StorageValue =
  | { readonly kind: 'session'; readonly info: JsonObject }
  | { readonly kind: 'message'; readonly info: JsonObject }
  | { readonly kind: 'part'; readonly part: JsonObject }

/**
 * Reads a value of a storage file, a row of the later database (`data` with `session_id`), a shared session
 * (`{type, data}`), a dump with keys (`{key, value}`), or a message that contains its parts.
 */
export function readStorageValue(value: unknown): readonly StorageValue[] {
  if (Array.isArray(value)) return value.flatMap(readStorageValue)
  if (!isJsonObject(value)) return []
  if (typeof value.messageID === 'string' && typeof value.type === 'string') {
    return [{ kind: 'part', part: withoutCopies(value) }]
  }
  if (isRole(value.role) && (typeof value.sessionID === 'string' || isJsonObject(value.time))) {
    return [{ kind: 'message', info: withoutDiffs(value) }]
  }
  if (isJsonObject(value.info) && isRole(value.info.role)) {
    return [
      ...arrayOf(value.parts).map((part) => linkedPart(objectOf(value.info), part)),
      { kind: 'message', info: withoutDiffs(value.info) },
    ]
  }
  if (typeof value.projectID === 'string' && typeof value.id === 'string') {
    return [{ kind: 'session', info: value }]
  }
  if (typeof value.project_id === 'string' && typeof value.id === 'string') {
    return [{ kind: 'session', info: { ...value, parentID: value.parent_id } }]
  }
  return readWrapped(value)
}

function readWrapped(value: JsonObject): readonly StorageValue[] {
  if (Array.isArray(value.key)) return readStorageValue(value.value ?? value.content)
  const data = typeof value.data === 'string' ? parseJson(value.data) : value.data
  if (Array.isArray(data)) return readStorageValue(data)
  if (!isJsonObject(data)) return []
  const links: Record<string, unknown> = {}
  if (textOf(value.id) !== undefined) links.id = value.id
  if (textOf(value.session_id) !== undefined) links.sessionID = value.session_id
  if (textOf(value.message_id) !== undefined) links.messageID = value.message_id
  return readStorageValue({ ...data, ...links })
}

function linkedPart(info: JsonObject, part: unknown): StorageValue {
  const links = { messageID: info.id, sessionID: info.sessionID }
  return { kind: 'part', part: withoutCopies({ ...links, ...objectOf(part) }) }
}

/** Drops the copy of the output that OpenCode keeps for its interface, to save memory. */
function withoutCopies(part: JsonObject): JsonObject {
  const state = part.state
  if (!isJsonObject(state) || !isJsonObject(state.metadata)) return part
  const { metadata, ...rest } = state
  const { interrupted, output } = metadata as JsonObject
  return {
    ...part,
    state: interrupted === true ? { ...rest, metadata: { interrupted, output } } : rest,
  }
}

function withoutDiffs(info: JsonObject): JsonObject {
  if (!isJsonObject(info.summary)) return info
  const { summary, ...rest } = info
  return rest
}

function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant'
}
