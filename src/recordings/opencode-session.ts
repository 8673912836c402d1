import { isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { Conversation, type ResultPlace } from './conversation.ts'
import { identityOf, numbersFrom, textOf, timeOf } from './json-fields.ts'
import { readAssistantParts, readTokens, readUserParts } from './opencode-parts.ts'
import type { Recording } from './recording.ts'

/** A message of OpenCode, with its parts in order. */
export interface OpenCodeMessage {
  readonly info: JsonObject
  readonly parts: readonly unknown[]
}

export interface OpenCodeSession {
  readonly format: 'opencode-export' | 'opencode-storage'
  /** The session's own entry; empty when the recording lacks it. */
  readonly info: JsonObject
  readonly session: string | null
  /** In chronological order. */
  readonly messages: readonly OpenCodeMessage[]
}

/** Reads one OpenCode session, from an export or from storage. */
export function readOpenCodeSession(session: OpenCodeSession): Recording {
  const reader = new SessionReader()
  const last = session.messages.length - 1
  for (const [index, message] of session.messages.entries()) {
    reader.add(message, { isLast: index === last })
  }
  const { events, model } = reader.end()
  return {
    format: session.format,
    session: session.session,
    parent: identityOf(session.info.parentID) ?? null,
    model,
    cwd: textOf(session.info.directory) ?? reader.cwd ?? null,
    events,
    messages: session.messages.length,
    subagentRecords: 0,
  }
}

interface CompactionRequest {
  /** Position of the user message that asks for the summary. */
  readonly position: number
  /** Position of the first message that the compaction keeps; `position` if it keeps none. */
  readonly tailStart: number
}

class SessionReader {
  readonly #conversation = new Conversation()
  readonly #positionById = new Map<string, number>()
  readonly #compactingById = new Map<string, CompactionRequest>()
  #compacting: CompactionRequest | undefined
  #pendingClears: { readonly at: number; readonly result: ResultPlace }[] = []
  cwd: string | undefined

  add(message: OpenCodeMessage, context: { readonly isLast: boolean }): void {
    const { info, parts } = message
    const at = timeOf(objectOf(info.time).created)
    if (at !== undefined) this.#applyClears(at)
    const id = identityOf(info.id)
    if (id !== undefined) this.#positionById.set(id, this.#conversation.length)
    if (info.role === 'user') this.#addUser(parts, { id, at })
    else this.#addAssistant(message, { id, at, ...context })
  }

  end(): ReturnType<Conversation['end']> {
    this.#applyClears(Number.POSITIVE_INFINITY)
    return this.#conversation.end()
  }

  #addUser(
    parts: readonly unknown[],
    { id, at }: { readonly id: string | undefined; readonly at: number | undefined },
  ): void {
    const items = readUserParts(parts)
    const position = this.#conversation.message({ role: 'user', items, id, at })
    for (const part of parts) {
      if (!isJsonObject(part) || part.type !== 'compaction') continue
      const tail = identityOf(part.tail_start_id)
      const tailStart = tail === undefined ? undefined : this.#positionById.get(tail)
      this.#compacting = { position, tailStart: tailStart ?? position }
      if (id !== undefined) this.#compactingById.set(id, this.#compacting)
    }
  }

  #addAssistant(
    { info, parts }: OpenCodeMessage,
    facts: {
      readonly id: string | undefined
      readonly at: number | undefined
      readonly isLast: boolean
    },
  ): void {
    const conversation = this.#conversation
    this.cwd ??= textOf(objectOf(info.path).cwd)
    const { calls } = conversation
    const steps = readAssistantParts(parts, { calls, isLast: facts.isLast })
    const first = conversation.length
    for (const [index, step] of steps.entries()) {
      conversation.message({
        role: 'assistant',
        items: step.items,
        id: facts.id,
        at: index === 0 ? facts.at : step.startedAt,
        model: textOf(info.modelID),
        usage: steps.length === 1 ? (readTokens(info.tokens) ?? step.usage) : step.usage,
        tree: step.tree,
      })
      if (step.results.length === 0) continue
      const message = conversation.message({
        role: 'tool',
        items: step.results,
        at: step.endedAt,
      })
      for (const { item, at } of step.cleared) {
        this.#pendingClears.push({ at, result: { message, item } })
      }
    }
    if (isSummary(info)) this.#compact(info, first)
  }

  /** The compaction comes after the summary, because the request for the summary still had all messages. */
  #compact(info: JsonObject, summary: number): void {
    const parent = identityOf(info.parentID)
    const compacting =
      (parent === undefined ? undefined : this.#compactingById.get(parent)) ?? this.#compacting
    const keeps = numbersFrom(summary, this.#conversation.length)
    if (compacting !== undefined) {
      keeps.unshift(...numbersFrom(compacting.tailStart, compacting.position + 1))
    }
    const time = objectOf(info.time)
    this.#conversation.compaction(keeps, timeOf(time.completed) ?? timeOf(time.created))
    this.#compacting = undefined
  }

  #applyClears(now: number): void {
    const due = this.#pendingClears.filter((clear) => clear.at <= now)
    if (due.length === 0) return
    this.#pendingClears = this.#pendingClears.filter((clear) => clear.at > now)
    const at = due.reduce((latest, clear) => Math.max(latest, clear.at), 0)
    this.#conversation.cleared(
      due.map((clear) => clear.result),
      at,
    )
  }
}

/** True for a completed summary; a failed one does not change the history. */
function isSummary(info: JsonObject): boolean {
  if (info.summary !== true || info.error != null) return false
  return info.finish != null || objectOf(info.time).completed != null
}
