import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { Body, BodyFormatName } from '../../formats/format.ts'
import { bodyFormats } from '../../formats/index.ts'
import { rootOf } from '../../formats/json/raw-node.ts'

/** The messages of a call as one body, which the engine reads like the request of an agent. */
export interface Conversation {
  readonly format: BodyFormatName
  readonly body: Buffer<ArrayBuffer>
  /** The messages as JSON, as they came. */
  readonly messages: string
  /** False when it has calls that the caller did not send. */
  readonly isWhole: boolean
  /** The text that names the session: the same in every request of a conversation. */
  readonly opening: string
  /** The messages of the call as JSON, with those of a rewritten body in their places. */
  withMessagesOf(body: Body): string
}

const resultRoles = new Set<unknown>(['tool', 'function'])
/** Members and roles that only Chat Completions has. */
const isOfChat = (row: JsonObject): boolean =>
  resultRoles.has(row.role) || 'tool_calls' in row || 'function_call' in row

/**
 * Reads the conversation of a call whose body is JSON with an array of messages.
 *
 * A gateway may send only the rows that may change: results without the calls that they answer, and the user's earlier
 * messages. Which user messages it sends changes with every prompt, so only the results make up such a conversation, each
 * with a call that says nothing.
 */
export function readConversation(
  body: Buffer<ArrayBuffer>,
  list: readonly unknown[],
): Conversation | null {
  const root = rootOf(body)
  const node = root?.child('messages')
  if (root === null || node == null) return null
  const messages = node.rawText
  const rows = list.map(objectOf)
  const isAnthropic = !rows.some(isOfChat) && bodyFormats.anthropic.wire.recognises(root)
  const format = isAnthropic ? 'anthropic' : 'openai-chat'
  const isResult = rows.map(({ role }) => resultRoles.has(role))
  if (!isResult.includes(true) || rows.some(({ role }) => role === 'assistant')) {
    const opening = openingOf(rows)
    return {
      format,
      body,
      messages,
      isWhole: true,
      opening,
      withMessagesOf: (sent) => messagesIn(sent) ?? messages,
    }
  }
  const texts = node.children.map((child) => child.node.rawText)
  const results = texts.flatMap((text, at) => {
    const row = rows[at]
    return isResult[at] && row !== undefined ? [`${callFor(row)},${text}`] : []
  })
  const model = root.child('model')?.rawText ?? 'null'
  const first = rows[isResult.indexOf(true)]
  return {
    format: 'openai-chat',
    body: Buffer.from(`{"model":${model},"messages":[${results.join(',')}]}`),
    messages,
    isWhole: false,
    opening: `${nameOf(first?.tool_call_id)}\n${textOf(first?.content)}`,
    withMessagesOf(sent) {
      const changed = rootOf(sent)?.child('messages')?.children ?? []
      if (changed.length !== 2 * results.length) return messages
      const rewritten = changed.filter((_, at) => at % 2 === 1)
      let next = 0
      const all = texts.map((text, at) => (isResult[at] ? rewritten[next++]?.node.rawText : text))
      return `[${all.join(',')}]`
    },
  }
}

/** Its input is unlike that of any other call, so that nothing counts as the same call again. */
function callFor({ tool_call_id: id, name }: JsonObject): string {
  const named = typeof name === 'string' && name !== '' ? name : 'unknown'
  const called = { name: named, arguments: JSON.stringify({ call: id ?? null }) }
  return JSON.stringify({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: id ?? '', type: 'function', function: called }],
  })
}

function messagesIn(body: Body): string | null {
  return rootOf(body)?.child('messages')?.rawText ?? null
}

/** Everything up to the user's first message. Its texts alone, because cache markers move from message to message. */
function openingOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const first = rows.findIndex(({ role }) => role === 'user')
  const opening = rows.slice(0, Math.max(0, first) + 1)
  return opening.map(({ role, content }) => `${nameOf(role)}\n${textOf(content)}`).join('\n\n')
}

/** Values from outside may have a `toString` that throws. */
function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content)
    .map((part) => (isJsonObject(part) ? nameOf(part.text ?? part.type) : ''))
    .join('\n')
}
