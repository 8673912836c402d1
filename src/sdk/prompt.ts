import { hash } from 'node:crypto'
import { isJsonObject } from '../core/words/json.ts'
import type { TellingRequest, ToldPlace } from '../memory/tell/tell-memory.ts'

/** A message of a language model's prompt in the AI SDK, as far as it must be known here. */
export interface PromptMessage {
  readonly role: string
  readonly content: unknown
}

/** What a call of a language model is made with. */
export interface PromptParams {
  readonly prompt: readonly PromptMessage[]
  readonly providerOptions?: unknown
}

type PromptFacts = Pick<TellingRequest, 'count' | 'keyOf' | 'firstUser' | 'isFirst' | 'task'>

/** What telling needs to know of a prompt; null when the user says nothing in it. */
export function promptFacts(prompt: readonly PromptMessage[]): PromptFacts | null {
  const firstUser = prompt.findIndex(({ role }) => role === 'user')
  const first = prompt[firstUser]
  if (first === undefined) return null
  const task = partsOf(first).find((part) => isJsonObject(part) && typeof part.text === 'string')
  return {
    count: prompt.length,
    keyOf: prefixNames(prompt),
    firstUser,
    isFirst: !prompt.some(({ role }) => role === 'assistant'),
    ...(isJsonObject(task) ? { task: String(task.text).slice(0, longestTask) } : {}),
  }
}

const longestTask = 2_000

/**
 * The prompt with what is told at its places: as a part of the user's own message, since some models take no two messages of
 * the user in a row; behind results of tools as a message of its own. Messages that are told nothing stay the same objects.
 */
export function withTold(
  prompt: readonly PromptMessage[],
  places: readonly ToldPlace[],
): readonly PromptMessage[] {
  const told = (index: number, side: ToldPlace['side']): readonly object[] =>
    places
      .filter((place) => place.index === index && place.side === side)
      .map(({ text }) => ({ type: 'text', text }))
  return prompt.flatMap((message, index) => {
    const before = told(index, 'before')
    const behind = told(index, 'behind')
    if (before.length + behind.length === 0) return [message]
    if (message.role === 'user')
      return [{ ...message, content: [...before, ...partsOf(message), ...behind] }]
    return [message, { role: 'user', content: [...before, ...behind] }]
  })
}

function partsOf({ content }: PromptMessage): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}

/** A name for each beginning of the conversation. */
function prefixNames(prompt: readonly PromptMessage[]): (index: number) => string {
  const names: string[] = []
  return (index) => {
    for (let at = names.length; at <= index; at++) {
      const { role, content } = prompt[at] ?? { role: '', content: '' }
      const said = JSON.stringify([role, content], identifying)
      names.push(hash('sha256', `${names[at - 1] ?? ''}${said}`).slice(0, 32))
    }
    return names[index] ?? ''
  }
}

/** Options for the provider are left out: a mark of the cache moves from message to message. */
function identifying(key: string, value: unknown): unknown {
  if (key === 'providerOptions') return undefined
  return value instanceof Uint8Array ? hash('sha256', value) : value
}
