import { hash } from 'node:crypto'
import { estimateTokens } from '../core/record/tokens.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import type { Memory } from '../memory/memory.ts'
import {
  type TellingRequest,
  type ToldPlace,
  tellMemory,
  toldUpToNow,
} from '../memory/tell/tell-memory.ts'
import type { Moment } from './advance.ts'
import { type InsertedText, insertTexts } from './insert-texts.ts'
import type { Outgoing } from './outgoing.ts'
import type { SentMessage } from './placement.ts'
import type { ReadRequest } from './read-request.ts'

/** What the doors tell a model of what is remembered. */
export interface MemoryToTell {
  /** Lets one at a time work with the memory. */
  use<Result>(work: (memory: Memory) => Promise<Result>): Promise<Result>
  readonly budgetTokens?: number | undefined
}

export interface Telling {
  /** The request with what its conversation is told of the memory. */
  tell(told: ToldRequest): Promise<{ readonly body: Body; readonly tokens: number }>
}

export interface ToldRequest {
  readonly format: BodyFormatName
  readonly session: string
  readonly request: ReadRequest
  readonly moment: Moment
  readonly sent: Outgoing
  /** False for a request beside the conversation, which is told what was told before. */
  readonly isTurn: boolean
  readonly opened: EpochReason | null
  /** Reasoning in it is valid only behind the very bytes that were sent before. */
  readonly isBound: boolean
}

/** Epochs in which nothing that was sent is cached, from the first byte on. */
const cold: ReadonlySet<EpochReason | null> = new Set<EpochReason>(['idle', 'model', 'resumed'])

export function createTelling({ use, budgetTokens }: MemoryToTell): Telling {
  /** What was found to be as the provider wants it. */
  const accepted = new Set<string>()

  return {
    async tell(told) {
      const { format, request, sent, isTurn } = told
      const asked = tellingRequest(told, budgetTokens)
      const unchanged = { body: sent.body, tokens: 0 }
      if (asked === null) return unchanged
      const places = await use((memory) => (isTurn ? tellMemory : toldUpToNow)(memory, asked))
      if (places.length === 0) return unchanged
      const read = sent.passed?.sent ?? request.read
      const texts = placedIn(places, sent, request.read)
      const body = insertTexts(format, read, texts)
      if (body === null) return unchanged
      const name = `${told.session}\n${texts.map(({ message, text }) => `${message} ${text}`).join('\n')}`
      if (!accepted.has(name) && !isAccepted(format, read, body)) return unchanged
      if (accepted.size > 1_000) accepted.clear()
      accepted.add(name)
      const tokens = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0)
      return { body, tokens }
    },
  }
}

function tellingRequest(
  { session, request, moment, opened, isBound }: ToldRequest,
  budgetTokens: number | undefined,
): TellingRequest | null {
  const { sent, read } = request
  const firstUser = sent.findIndex(({ role }) => role === 'user')
  if (firstUser === -1) return null
  const task = read.messages[firstUser]?.items.find((item) => item.kind === 'text')?.text
  return {
    session,
    place: { project: moment.cwd ?? 'unknown', session },
    count: sent.length,
    keyOf: prefixNames(sent),
    firstUser,
    isFirst: !sent.some(({ role }) => role === 'assistant'),
    isCold: cold.has(opened) && !isBound,
    ...(task === undefined ? {} : { task: task.slice(0, longestTask) }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  }
}

const longestTask = 2_000

/** A name for each beginning of the conversation. */
function prefixNames(sent: readonly SentMessage[]): (index: number) => string {
  const names: string[] = []
  return (index) => {
    for (let at = names.length; at <= index; at++)
      names.push(hash('sha256', `${names[at - 1] ?? ''}${sent[at]?.hash ?? ''}`).slice(0, 32))
    return names[index] ?? ''
  }
}

/** Places are counted in the request as it came; messages of nothing but reasoning may have left it. */
function placedIn(
  places: readonly ToldPlace[],
  { passed }: Outgoing,
  { messages }: RequestRead<Body>,
): readonly InsertedText[] {
  const removed = new Map<number, number>()
  for (const change of passed?.changes ?? [])
    if (change.text === null && passed?.refused.has(change) === false)
      removed.set(change.message, (removed.get(change.message) ?? 0) + 1)
  const gone = [...removed]
    .filter(([message, count]) => messages[message]?.items.length === count)
    .map(([message]) => message)
  const joined = new Map<string, InsertedText>()
  for (const { index, side, text } of places) {
    const message = index - gone.filter((each) => each < index).length
    const key = `${message} ${side}`
    const before = joined.get(key)
    joined.set(key, {
      message,
      side,
      text: before === undefined ? text : `${before.text}\n\n${text}`,
    })
  }
  return [...joined.values()]
}

/** Whether the provider takes it, as far as it took the request before. */
function isAccepted(format: BodyFormatName, read: RequestRead<Body>, body: Body): boolean {
  const { validate } = bodyFormats[format]
  const options = read.model === null ? {} : { model: read.model }
  const found = validate(body, options)
  if (found.length === 0) return true
  const before = new Set(validate(read.source, options).map(({ rule }) => rule))
  return found.every(({ rule }) => before.has(rule))
}
