import { type JsonObject, objectOf } from '../core/words/json.ts'
import { addToList } from '../core/words/lists.ts'
import { partitionPoint } from '../core/words/partition-point.ts'
import { identityOf, textOf, timeOf } from './json-fields.ts'

/** A message or a part, with its position in the file. */
export interface StoredMessage {
  readonly info: JsonObject
  readonly place: number
}
export interface StoredPart {
  readonly part: JsonObject
  readonly place: number
}

export interface LinkedSession {
  /** null when the id was redacted. */
  readonly session: string | null
  readonly messages: { readonly info: JsonObject; readonly parts: readonly JsonObject[] }[]
}

interface Owner {
  readonly message: StoredMessage
  readonly group: string
  readonly parts: StoredPart[]
}

/**
 * Assigns parts to their messages and messages to their sessions, by id if there is one. Messages of redacted sessions
 * are grouped by working directory. A part of a redacted message belongs to the next message in the file, as OpenCode
 * dumps its storage, or else to the latest message that was created before the part started.
 */
export function linkStorage(
  messages: readonly StoredMessage[],
  parts: readonly StoredPart[],
  lost: (part: StoredPart) => void,
): readonly LinkedSession[] {
  const groups = groupMessages(messages, parts)
  const owners = messages.map((message, index): Owner => {
    return { message, group: groups[index]!, parts: [] }
  })
  const ownerById = new Map<string, Owner>()
  for (const owner of owners) {
    const id = identityOf(owner.message.info.id)
    if (id !== undefined) ownerById.set(id, owner)
  }
  const redacted = ownersWithoutId(owners)
  for (const part of parts) {
    const id = identityOf(part.part.messageID)
    const owner = id === undefined ? nearestOwner(redacted, part) : ownerById.get(id)
    if (owner === undefined) lost(part)
    else owner.parts.push(part)
  }
  return sessionsOf(owners)
}

function sessionsOf(owners: readonly Owner[]): readonly LinkedSession[] {
  const byGroup = new Map<string, Owner[]>()
  for (const owner of owners) addToList(byGroup, owner.group, owner)
  return [...byGroup.values()].map((group) => ({
    session: identityOf(group[0]!.group) ?? null,
    messages: group
      .toSorted(byTime)
      .map((owner) => ({ info: owner.message.info, parts: sortedById(owner.parts) })),
  }))
}

/** The session id of each message, or `REDACTED` with the working directory. */
function groupMessages(
  messages: readonly StoredMessage[],
  parts: readonly StoredPart[],
): readonly string[] {
  const sessionOfMessage = new Map<string, string>()
  for (const { part } of parts) {
    const message = identityOf(part.messageID)
    const session = identityOf(part.sessionID)
    if (message !== undefined && session !== undefined) sessionOfMessage.set(message, session)
  }
  for (const { info } of messages) {
    const id = identityOf(info.id)
    const session = identityOf(info.sessionID)
    if (id !== undefined && session !== undefined) sessionOfMessage.set(id, session)
  }
  const directoryOfMessage = new Map<string, string>()
  for (const { info } of messages) {
    const asked = identityOf(info.parentID)
    const directory = directoryOf(info)
    if (asked !== undefined && directory !== undefined) directoryOfMessage.set(asked, directory)
  }
  return messages.map(({ info }, index) => {
    const id = identityOf(info.id)
    const parent = identityOf(info.parentID)
    const known =
      identityOf(info.sessionID) ??
      (id === undefined ? undefined : sessionOfMessage.get(id)) ??
      (parent === undefined ? undefined : sessionOfMessage.get(parent))
    if (known !== undefined) return known
    const directory =
      directoryOf(info) ??
      (id === undefined ? undefined : directoryOfMessage.get(id)) ??
      directoryAfter(messages, index)
    return `REDACTED ${directory}`
  })
}

function directoryOf(info: JsonObject): string | undefined {
  return textOf(objectOf(info.path).cwd)
}

/** User messages have no directory, so this takes the one of the nearest message of a redacted session. */
function directoryAfter(messages: readonly StoredMessage[], index: number): string {
  for (let next = index + 1; next < messages.length; next += 1) {
    const { info } = messages[next]!
    const directory = directoryOf(info)
    if (directory !== undefined && identityOf(info.sessionID) === undefined) return directory
  }
  for (let next = index - 1; next >= 0; next -= 1) {
    const { info } = messages[next]!
    const directory = directoryOf(info)
    if (directory !== undefined && identityOf(info.sessionID) === undefined) return directory
  }
  return ''
}

/** Messages with a redacted id, in file order, by session id (empty if that is redacted too). */
function ownersWithoutId(owners: readonly Owner[]): ReadonlyMap<string, readonly Owner[]> {
  const bySession = new Map<string, Owner[]>()
  for (const owner of owners) {
    if (identityOf(owner.message.info.id) !== undefined) continue
    addToList(bySession, identityOf(owner.group) ?? '', owner)
  }
  return bySession
}

function nearestOwner(
  redacted: ReadonlyMap<string, readonly Owner[]>,
  { part, place }: StoredPart,
): Owner | undefined {
  const candidates = redacted.get(identityOf(part.sessionID) ?? '') ?? []
  const next =
    candidates[partitionPoint(candidates.length, (at) => candidates[at]!.message.place <= place)]
  if (next !== undefined) return next
  const started = startOf(part) ?? startOf(objectOf(part.state))
  const before = candidates.filter(
    (owner) => started !== undefined && (createdAt(owner.message.info) ?? 0) <= started,
  )
  return before.toSorted(byTime).at(-1) ?? candidates.at(-1)
}

function startOf(value: JsonObject): number | undefined {
  return timeOf(objectOf(value.time).start)
}

function createdAt(info: JsonObject): number | undefined {
  return timeOf(objectOf(info.time).created)
}

function byTime(one: Owner, other: Owner): number {
  const difference = (createdAt(one.message.info) ?? 0) - (createdAt(other.message.info) ?? 0)
  if (difference !== 0) return difference
  const id = identityOf(one.message.info.id)
  const otherId = identityOf(other.message.info.id)
  if (id !== undefined && otherId !== undefined && id !== otherId) return id < otherId ? -1 : 1
  return one.message.place - other.message.place
}

/** Sorts parts by id, which is chronological. Parts with a redacted id keep their position. */
function sortedById(parts: readonly StoredPart[]): readonly JsonObject[] {
  const named = parts
    .filter(({ part }) => identityOf(part.id) !== undefined)
    .map(({ part }) => part)
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
  let next = 0
  return parts.map(({ part }) => {
    if (identityOf(part.id) === undefined) return part
    next += 1
    return named[next - 1]!
  })
}
