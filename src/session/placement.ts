import { hash } from 'node:crypto'
import { hashMessage } from '../core/record/content-hash.ts'
import type { ItemDraft, MessageDraft, Role } from '../core/words/item.ts'
import { commonLength as commonElements } from '../core/words/lists.ts'

/** The parts of a message that are needed to find the branch of its request. */
export interface SentMessage {
  readonly hash: string
  readonly role: Role
  /** Call ids are unique, so a message with tool calls identifies its conversation. */
  readonly hasCalls: boolean
  /** Hash of the last line of a user's message. Clients add their own text before it. */
  readonly words: string | null
}

/** How a request relates to a branch. */
export type Standing =
  /** Nothing was sent on the branch yet. */
  | { readonly kind: 'empty' }
  /** It has all messages of the last request. */
  | { readonly kind: 'grown' }
  /** It adds only user messages: the next turn, or a side question. */
  | { readonly kind: 'asked' }
  /** The client changed earlier messages, or removed messages that had no answer yet. */
  | { readonly kind: 'changed' }
  /** It ends inside the branch's history: an earlier request, repeated. */
  | { readonly kind: 'earlier' }
  /** Another conversation, which shares the first `common` messages. */
  | { readonly kind: 'apart'; readonly common: number }

export function standingOf(
  request: readonly SentMessage[],
  model: string | null,
  branch: { readonly sent: readonly SentMessage[]; readonly model: string | null },
): Standing {
  const { sent } = branch
  if (sent.length === 0) return { kind: 'empty' }
  // Each model has its own cache, so the decisions for one model do not apply to another.
  if (branch.model !== null && branch.model !== model) return { kind: 'apart', common: 0 }
  const exact = commonLength(request, sent)
  const common = sharedLength(request, sent, exact)
  const added = request.slice(common)
  const dropped = sent.slice(common)
  if (dropped.length === 0 && common > exact) return { kind: 'changed' }
  if (dropped.length === 0) {
    const isAsked =
      added.length > 0 && sent.at(-1)?.role !== 'assistant' && added.every(isUserMessage)
    return { kind: isAsked ? 'asked' : 'grown' }
  }
  if (common === 0) return { kind: 'apart', common }
  if (added.length === 0) return { kind: 'earlier' }
  const isUnanswered = dropped.every(({ role }) => role !== 'assistant')
  return isUnanswered || isEdited(added, dropped) ? { kind: 'changed' } : { kind: 'apart', common }
}

function isUserMessage({ role }: SentMessage): boolean {
  return role === 'user'
}

/** True when the request still has later messages of the branch. Ignores user messages, which may recur anywhere. */
function isEdited(added: readonly SentMessage[], dropped: readonly SentMessage[]): boolean {
  const later = new Set(
    dropped.filter((each) => !isUserMessage(each)).map(({ hash: each }) => each),
  )
  return added.some((each) => later.has(each.hash))
}

/** How many leading messages two requests have in common. */
export function commonLength(one: readonly SentMessage[], other: readonly SentMessage[]): number {
  return commonElements(one, other, (mine, theirs) => mine.hash === theirs.hash)
}

/**
 * How many messages a request shares with a branch. Tolerates changes before the first answer, because some clients put
 * the date, the project's files or the state of the repository there each time they start.
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

/**
 * True when a request adds more than one answer of the model: another process served the requests between, and its
 * decisions have to be loaded from the store.
 */
export function hasMissedTurns(
  sent: readonly SentMessage[],
  request: readonly SentMessage[],
): boolean {
  const added = request.slice(Math.max(0, sent.length - 1))
  const answers = added.filter(
    ({ role }, at) => at > 0 && role === 'assistant' && added[at - 1]?.role !== 'assistant',
  )
  return sent.length > 0 && answers.length > 1
}

/**
 * Whether a request has the whole history of a branch, with tool calls. Call ids are unique, so the sender knows the
 * conversation, under any name and credential.
 */
export function hasWhole(
  request: readonly SentMessage[],
  { sent }: { readonly sent: readonly SentMessage[] },
): boolean {
  return sharedLength(request, sent) === sent.length && sharesCalls(request, sent)
}

/** True when the shared part contains a tool call. */
export function sharesCalls(
  request: readonly SentMessage[],
  sent: readonly SentMessage[],
): boolean {
  return request.slice(0, sharedLength(request, sent)).some(({ hasCalls }) => hasCalls)
}

/** The hashed last line of the last user message before an index. */
function wordsBefore(end: number, messages: readonly SentMessage[]): string | null {
  return messages.slice(0, end).findLast(isUserMessage)?.words ?? null
}

/** A request's messages with their hashes. `known` are the ones that the branch already has. */
export function sentMessages(
  messages: readonly MessageDraft[],
  known: readonly SentMessage[],
): readonly SentMessage[] {
  const added = messages.slice(known.length)
  return known.concat(added.map((message) => sentMessage(message, hashMessage(message))))
}

/** A message with tool results gets the role `tool`, whatever role the request gives it. */
export function sentMessage({ role, items }: MessageDraft, messageHash: string): SentMessage {
  const hasResults = items.some(({ kind }) => kind === 'result')
  const said = hasResults || role !== 'user' ? undefined : items.findLast(isText)?.text.trimEnd()
  return {
    hash: messageHash,
    role: hasResults ? 'tool' : role,
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

/** The name of the branch that begins with these messages, the same in every process. */
export function branchName(
  session: string,
  model: string | null,
  messages: readonly SentMessage[],
): string {
  const content = [model ?? '', ...messages.map((message) => message.hash)].join('\n')
  return `${session}.${hash('sha256', content).slice(0, 12)}`
}
