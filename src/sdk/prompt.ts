import { hash } from 'node:crypto'
import { isJsonObject, objectOf } from '../core/words/json.ts'
import type { InjectedText, InjectRequest } from '../memory/inject/inject-memory.ts'
import { longestTask, prefixNames } from '../memory/inject/inject-request.ts'
import type { RequestMessage } from '../memory/listen/new-turns.ts'

/** A message of a prompt in the AI SDK, as far as it matters here. */
export interface PromptMessage {
  readonly role: string
  readonly content: unknown
}

/** The parameters of a call to a language model. */
export interface PromptParams {
  readonly prompt: readonly PromptMessage[]
  readonly providerOptions?: unknown
}

/** The name of the conversation that a call gives as `providerOptions.palimpsest.session`; null when it gives none. */
export function sessionIn({ providerOptions }: PromptParams): string | null {
  const { session } = objectOf(objectOf(providerOptions).palimpsest)
  return typeof session === 'string' && session !== '' ? session : null
}

type PromptFacts = Pick<InjectRequest, 'count' | 'keyOf' | 'firstUser' | 'isFirst' | 'task'>

/** What injecting memory needs to know of a prompt; null when it has no message of the user. */
export function promptFacts(prompt: readonly PromptMessage[]): PromptFacts | null {
  const firstUser = prompt.findIndex(({ role }) => role === 'user')
  const first = prompt[firstUser]
  if (first === undefined) return null
  const task = partsOf(first).find((part) => isJsonObject(part) && typeof part.text === 'string')
  return {
    count: prompt.length,
    keyOf: prefixNames((index) => contentOf(prompt[index] ?? { role: '', content: '' })),
    firstUser,
    isFirst: !prompt.some(({ role }) => role === 'assistant'),
    ...(isJsonObject(task) ? { task: String(task.text).slice(0, longestTask) } : {}),
  }
}

/** The text parts of a prompt from the last answer on. */
export function spokenIn(prompt: readonly PromptMessage[]): readonly RequestMessage[] {
  const last = prompt.findLastIndex(({ role }) => role === 'assistant')
  return prompt.slice(Math.max(0, last)).map((message) => ({
    role: message.role,
    text: partsOf(message)
      .flatMap((part) =>
        isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
          ? [part.text]
          : [],
      )
      .join('\n'),
  }))
}

/**
 * The prompt with memory in its places: as a part of the user's own message, because some models reject two messages of
 * the user in a row; behind tool results as a message of its own. Messages without memory stay the same objects.
 */
export function withMemoryTexts(
  prompt: readonly PromptMessage[],
  places: readonly InjectedText[],
): readonly PromptMessage[] {
  const memoryParts = (index: number, side: InjectedText['side']): readonly object[] =>
    places
      .filter((place) => place.index === index && place.side === side)
      .map(({ text }) => ({ type: 'text', text }))
  return prompt.flatMap((message, index) => {
    const before = memoryParts(index, 'before')
    const behind = memoryParts(index, 'behind')
    if (before.length + behind.length === 0) return [message]
    if (message.role === 'user')
      return [{ ...message, content: [...before, ...partsOf(message), ...behind] }]
    return [message, { role: 'user', content: [...before, ...behind] }]
  })
}

function partsOf({ content }: PromptMessage): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}

function contentOf({ role, content }: PromptMessage): string {
  return JSON.stringify([role, content], identifying)
}

/** Provider options are left out, because a cache mark moves from message to message. */
function identifying(key: string, value: unknown): unknown {
  if (key === 'providerOptions') return undefined
  return value instanceof Uint8Array ? hash('sha256', value) : value
}
