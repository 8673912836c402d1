import { hash } from 'node:crypto'
import { hashMessage } from '../core/record/content-hash.ts'
import type { ItemDraft, MessageDraft, Role } from '../core/words/item.ts'
import type { Line } from './line.ts'

/** A message as far as placing needs to know it. */
export interface SentMessage {
  readonly hash: string
  readonly role: Role
  /** True when it calls tools: no other conversation has calls with the same ids. */
  readonly hasCalls: boolean
  /** Names the last line of a user's message. What a client adds by itself stands before it. */
  readonly words: string | null
}

/** How a request stands to a line. */
export type Standing =
  /** Nothing was sent of the line yet. */
  | { readonly kind: 'empty' }
  /** It has all that the last request had. */
  | { readonly kind: 'grown' }
  /** The same, and nothing more than a user's word: the next turn, or a question beside the conversation. */
  | { readonly kind: 'asked' }
  /** The client changed what it had sent, or took back what nobody had answered. */
  | { readonly kind: 'changed' }
  /** It ends inside the line's history: a request of earlier, made again. */
  | { readonly kind: 'earlier' }
  /** Another conversation, with the first so many messages in common. */
  | { readonly kind: 'apart'; readonly common: number }

export function standingOf(
  request: readonly SentMessage[],
  model: string | null,
  line: Pick<Line, 'sent' | 'model'>,
): Standing {
  const { sent } = line
  if (sent.length === 0) return { kind: 'empty' }
  // Another model has another cache, so that nothing holds of what was decided for this one's.
  if (line.model !== null && line.model !== model) return { kind: 'apart', common: 0 }
  const exact = commonLength(request, sent)
  const common = sharedLength(request, sent, exact)
  const added = request.slice(common)
  const dropped = sent.slice(common)
  if (dropped.length === 0 && common > exact) return { kind: 'changed' }
  if (dropped.length === 0) {
    const isAsked = added.length > 0 && sent.at(-1)?.role !== 'assistant' && added.every(isUsers)
    return { kind: isAsked ? 'asked' : 'grown' }
  }
  if (common === 0) return { kind: 'apart', common }
  if (added.length === 0) return { kind: 'earlier' }
  const isUnanswered = dropped.every(({ role }) => role !== 'assistant')
  return isUnanswered || isEdited(added, dropped) ? { kind: 'changed' } : { kind: 'apart', common }
}

function isUsers({ role }: SentMessage): boolean {
  return role === 'user'
}

/** True when later parts of what was sent are still there. Users say the same thing in different conversations. */
function isEdited(added: readonly SentMessage[], dropped: readonly SentMessage[]): boolean {
  const later = new Set(dropped.filter((each) => !isUsers(each)).map(({ hash: each }) => each))
  return added.some((each) => later.has(each.hash))
}

export function commonLength(one: readonly SentMessage[], other: readonly SentMessage[]): number {
  const most = Math.min(one.length, other.length)
  let common = 0
  while (common < most) {
    const mine = one[common]
    const theirs = other[common]
    // Those that were taken over from the request before are the very same.
    if (mine !== theirs && mine?.hash !== theirs?.hash) break
    common++
  }
  return common
}

/**
 * How many messages a request has in common with a line, also where the client has written anew what stands before the
 * first answer: some put the date, the project's files or the state of the repository there each time they start.
 */
export function sharedLength(
  request: readonly SentMessage[],
  sent: readonly SentMessage[],
  exact: number = commonLength(request, sent),
): number {
  const opening = sent.findIndex(({ role }) => role === 'assistant')
  if (exact >= opening || wordsBefore(opening, request) !== wordsBefore(opening, sent)) return exact
  const most = Math.min(request.length, sent.length)
  for (let at = opening; at < most; at++) {
    const mine = request[at] as SentMessage
    if (mine.hasCalls && mine.hash === sent[at]?.hash)
      return at + commonLength(request.slice(at), sent.slice(at))
  }
  return exact
}

/** True when a call of the line is in the part that both have in common. */
export function sharesCalls(
  request: readonly SentMessage[],
  sent: readonly SentMessage[],
): boolean {
  return request.slice(0, sharedLength(request, sent)).some(({ hasCalls }) => hasCalls)
}

/** What the user said last before this message. */
function wordsBefore(end: number, messages: readonly SentMessage[]): string | null {
  return messages.slice(0, end).findLast(isUsers)?.words ?? null
}

/** A request's messages with their hashes. Those that were taken over from the line's last request are known. */
export function sentMessages(
  messages: readonly MessageDraft[],
  known: readonly SentMessage[],
): readonly SentMessage[] {
  const added = messages.slice(known.length)
  return known.concat(added.map((message) => sentMessage(message, hashMessage(message))))
}

/** A message that carries results is a tool's, whatever the wire calls it. */
export function sentMessage({ role, items }: MessageDraft, messageHash: string): SentMessage {
  const isTools = items.some(({ kind }) => kind === 'result')
  const said = isTools || role !== 'user' ? undefined : items.findLast(isText)?.text.trimEnd()
  return {
    hash: messageHash,
    role: isTools ? 'tool' : role,
    hasCalls: items.some(({ kind }) => kind === 'call'),
    words: said === undefined ? null : hash('sha256', lastLine(said)).slice(0, 16),
  }
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}

function isText({ kind }: ItemDraft): boolean {
  return kind === 'text'
}

/** Names the line that begins with these messages: the same in every process. */
export function lineName(
  session: string,
  model: string | null,
  messages: readonly SentMessage[],
): string {
  const content = [model ?? '', ...messages.map((message) => message.hash)].join('\n')
  return `${session}.${hash('sha256', content).slice(0, 12)}`
}
