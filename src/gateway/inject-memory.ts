import { estimateTokens } from '../core/record/tokens.ts'
import type { EpochReason } from '../core/words/ledger.ts'
import { type InsertedText, insertTexts } from '../formats/body/insert-texts.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import {
  type InjectedText,
  type InjectRequest,
  injectedSoFar,
  injectMemory,
} from '../memory/inject/inject-memory.ts'
import { isColdEpoch, longestTask, prefixNames } from '../memory/inject/inject-request.ts'
import type { Memory } from '../memory/memory.ts'
import type { Moment } from '../session/branch.ts'
import type { ReadRequest } from '../session/read-request.ts'
import type { Decided } from './decided.ts'
import type { RewrittenBody } from './rewrite-body.ts'

export interface MemoryToInject {
  /** Runs work on the memory of an owner, one piece at a time; null: on the memory without an owner. */
  use<Result>(work: (memory: Memory) => Promise<Result>, owner: string | null): Promise<Result>
  readonly budgetTokens?: number | undefined
}

export interface MemoryInjector {
  /** Adds memory to a request. If the memory cannot be read, nothing else changes. */
  inject(decided: Decided, request: InjectedRequest): Promise<Decided>
}

export interface InjectedRequest {
  readonly format: BodyFormatName
  readonly session: string
  /** To whom the session belongs. */
  readonly owner: string | null
  readonly request: ReadRequest
  readonly moment: Moment
  readonly body: RewrittenBody
  /** Whether it has reasoning that is valid only after the exact bytes that were sent before it. */
  readonly isBound: boolean
}

export function createMemoryInjector({ use, budgetTokens }: MemoryToInject): MemoryInjector {
  /** Insertions that are known to be valid, so that each is checked once. */
  const accepted = new Set<string>()

  async function withMemory(decided: Decided, injected: InjectedRequest): Promise<Decided> {
    const { format, request, session, owner } = injected
    const asked = injectRequest(injected, decided.receipt.opened, budgetTokens)
    if (asked === null) return decided
    // A request that is not a turn gets the memory that the conversation already has.
    const choose = decided.turn === null ? injectedSoFar : injectMemory
    const places = await use((memory) => choose(memory, asked), owner)
    if (places.length === 0) return decided
    const read = injected.body.forwarded?.sent ?? request.read
    const texts = placedIn(places, injected.body, request.read)
    const body = insertTexts(bodyFormats[format].wire.insertion, read, texts)
    if (body === null) return decided
    const name = [owner, session, ...texts.map(({ message, text }) => `${message} ${text}`)].join(
      '\n',
    )
    if (!accepted.has(name) && !isAccepted(format, read, body)) return decided
    if (accepted.size > 1_000) accepted.clear()
    accepted.add(name)
    const tokens = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0)
    return { ...decided, body, receipt: { ...decided.receipt, memory: tokens } }
  }

  return {
    async inject(decided, injected) {
      if (decided.receipt.bypass !== null) return decided
      try {
        return await withMemory(decided, injected)
      } catch (fault) {
        return { ...decided, fault }
      }
    },
  }
}

function injectRequest(
  { session, request, moment, isBound }: InjectedRequest,
  opened: EpochReason | null,
  budgetTokens: number | undefined,
): InjectRequest | null {
  const { sent, read } = request
  const firstUser = sent.findIndex(({ role }) => role === 'user')
  if (firstUser === -1) return null
  const task = read.messages[firstUser]?.items.find((item) => item.kind === 'text')?.text
  return {
    session,
    place: { project: moment.cwd ?? 'unknown', session },
    count: sent.length,
    keyOf: prefixNames((index) => sent[index]?.hash ?? ''),
    firstUser,
    isFirst: !sent.some(({ role }) => role === 'assistant'),
    isCold: isColdEpoch(opened) && !isBound,
    ...(task === undefined ? {} : { task: task.slice(0, longestTask) }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  }
}

/** Positions in the rewritten request, from which messages with nothing but reasoning may have been removed. */
function placedIn(
  places: readonly InjectedText[],
  { forwarded }: RewrittenBody,
  { messages }: RequestRead<Body>,
): readonly InsertedText[] {
  const removed = new Map<number, number>()
  for (const change of forwarded?.changes ?? [])
    if (change.text === null && forwarded?.refused.has(change) === false)
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

/** Whether the insertion breaks no rule that the request did not break before. */
function isAccepted(format: BodyFormatName, read: RequestRead<Body>, body: Body): boolean {
  const { validate } = bodyFormats[format]
  const options = read.model === null ? {} : { model: read.model }
  const found = validate(body, options)
  if (found.length === 0) return true
  const before = new Set(validate(read.source, options).map(({ rule }) => rule))
  return found.every(({ rule }) => before.has(rule))
}
