import { secretMark, withoutSecrets } from '../core/words/secrets.ts'
import { type Change, changeOf, supersession } from './change.ts'
import { chooseTarget, currentRivals, targetOf } from './claim-target.ts'
import type { Claim } from './extract/claim.ts'
import { claimsOf } from './extract/claims-of-message.ts'
import { itemKey, type MemoryItem, type Scope } from './item.ts'
import { namesValue } from './lexicon/lookup.ts'
import { contradictionFlag, type Memory, type NewItem, type Writing } from './memory.ts'
import { type Replacement, recordDisagreements } from './record-disagreements.ts'
import { sourceKey } from './resolve/candidates.ts'
import { findDisagreements } from './resolve/earlier-statements.ts'
import { resolveClaims } from './resolve/resolve-claims.ts'
import { planAdd } from './state/add-item.ts'
import { contradicts } from './state/contradiction.ts'
import { type HeardMessage, heardKey, type MemoryEvent } from './state/event.ts'
import { isTrusted } from './state/place-in-chain.ts'
import { planEnd } from './state/retract-item.ts'
import { type Correction, findCorrections } from './understand/corrections.ts'

export type { Change } from './change.ts'

export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system' | 'developer' | 'tool'
  readonly text: string
  /** When it was said, in milliseconds since 1970. */
  readonly at?: number
}

/** Where an observed conversation takes place. */
export interface Place {
  readonly session: string
  readonly project: string
}

export interface Observation {
  readonly id: string
  readonly corrections: readonly Correction[]
  readonly changes: readonly Change[]
}

/** What was read from a message. */
export interface Understood {
  readonly corrections: readonly Correction[]
  readonly claims: readonly Claim[]
}

/** A message without its keys and passwords, which are neither stored nor read. */
export function safeMessage(message: Message): Message {
  const text = withoutSecrets(message.text)
  return text === message.text ? message : { ...message, text }
}

/** How many characters of a message are stored. */
const longestKept = 8_000

/** The text of a message as it is stored. */
export function heardText(message: Message): string {
  return safeMessage(message).text.trim().slice(0, longestKept)
}

/**
 * Reads one message into the memory. A user's words yield facts, preferences and decisions; an assistant's only
 * decisions, which never replace a user's item; other roles yield nothing.
 */
export function observe(memory: Memory, said: Message, place: Place): Observation {
  const message = safeMessage(said)
  const { id, role, text } = message
  if (role !== 'user' && role !== 'assistant') return { id, corrections: [], changes: [] }
  const corrections = role === 'user' ? findCorrections(text) : []
  const claims = claimsOf(text, role, whenSaid(message, memory.now()))
  return observeClaims(memory, message, place, { corrections, claims })
}

/** Applies the claims of a message. The same rules hold for claims of the built-in reader and of a model. */
export function observeClaims(
  memory: Memory,
  said: Message,
  place: Place,
  { corrections, claims }: Understood,
): Observation {
  const message = safeMessage(said)
  const { id, role } = message
  if (role !== 'user' && role !== 'assistant') return { id, corrections: [], changes: [] }
  const text = heardText(message)
  if (claims.length === 0 && text === '') return { id, corrections, changes: [] }
  const { session, project } = place
  const saidAt = whenSaid(message, memory.now())
  const heard: HeardMessage = { id, role, text, session, project, saidAt }
  if (text !== '')
    memory.write(({ state, at }) => {
      const known = state.heard.has(heardKey({ session, id }))
      return { events: known ? [] : [{ kind: 'heard', at, message: heard }], result: undefined }
    })
  const whole = { ...heard, text: message.text }
  const found = role === 'user' ? findDisagreements(memory.state, whole, place) : []
  const resolved =
    role === 'user'
      ? resolveClaims(memory.state, message.text, claims, {
          place,
          now: memory.now(),
          message: id,
          disagreeing: new Set(found.map(({ sentence }) => sentence)),
        })
      : claims
  const replaced = new Map<string, Replacement>()
  // Each claim must see the effect of the one before it.
  const changes = resolved.filter(isSafe).flatMap((claim) => {
    const { earlier } = claim
    const before = earlier && replaced.get(sourceKey(earlier.source))
    // A statement that this message has replaced already: now the newer item may change.
    const stated = before === undefined ? claim : { ...claim, target: before.newer.id }
    const made = memory.write((writing) => {
      const step = planClaim(writing, stated, {
        message,
        place,
        role,
        saidAt: whenSaid(message, writing.at),
        newFlag: () => memory.newId('flag'),
      })
      return { events: step.events, result: step.changes }
    })
    for (const { op, id, supersedes = '' } of made) {
      const older = before?.older ?? memory.state.items.get(supersedes)?.item
      const newer = memory.state.items.get(id)?.item
      if (op !== 'supersede' || older === undefined || newer === undefined) continue
      replaced.set(sourceKey(older.source), { older, newer })
    }
    return made
  })
  const resolvedSentences = new Set(resolved.map(({ quote }) => quote))
  const left = found.filter(({ sentence }) => !resolvedSentences.has(sentence))
  const disagreements = recordDisagreements(memory, whole, left, replaced)
  return { id, corrections, changes: [...changes, ...disagreements] }
}

/** A claim is dropped when a secret was removed from it, because the rest says nothing. */
function isSafe({ text, value = '' }: Claim): boolean {
  return !text.includes(secretMark) && !value.includes(secretMark)
}

/** A message time in the future comes from a wrong clock; the item would not be valid yet. */
function whenSaid(message: Message, now: number): number {
  return Math.min(message.at ?? now, now)
}

interface ClaimContext {
  readonly message: Message
  readonly place: Place
  readonly role: 'user' | 'assistant'
  readonly saidAt: number
  newFlag(): string
}

interface ClaimStep {
  readonly events: readonly MemoryEvent[]
  readonly changes: readonly Change[]
}

const nothing: ClaimStep = { events: [], changes: [] }

function planClaim(writing: Writing, claim: Claim, context: ClaimContext): ClaimStep {
  const { state, at } = writing
  const { place, role, saidAt } = context
  const scope: Scope = claim.owner === 'user' ? 'user' : `project:${place.project}`
  const rivals = currentRivals(state, claim, place, at)
  const found = targetOf(claim, writing)
  const target = found ?? chooseTarget(rivals, claim, scope)?.item
  if (claim.operation === 'end') {
    if (!target || role !== 'user') return nothing
    const validAt = Math.max(target.validFrom, claim.since ?? saidAt)
    const events = planEnd(state, { id: target.id, at, validAt })
    return { events, changes: events.length > 0 ? [changeOf('retract', target)] : [] }
  }
  if (role === 'assistant' && rivals.some(({ item }) => isTrusted(item))) return nothing
  // `Python` says nothing new when `Python 3.12` is known.
  const isKnown = claim.value !== undefined && namesValue(claim.value, target?.value)
  const { value = claim.value, text = claim.text } = isKnown ? (target ?? {}) : {}
  const stated = value === undefined ? claim : { ...claim, value, text }
  const item = writing.item(itemOf(stated, target, scope, context))
  // A key with a single value has one current item, so the newer value replaces the older without a question.
  const isSingle = itemKey(item) !== undefined && state.cardinality(item) === 'single'
  if (found !== undefined && claim.operation === 'doubt' && !isSingle)
    return planDoubt(found, item, context.newFlag(), at)
  const plan = planAdd(state, item)
  if (plan.outcome === 'reinforced') return { events: plan.events, changes: [] }
  const [replaced] = plan.supersedes
  if (replaced !== undefined)
    return {
      events: plan.events,
      changes: [{ ...changeOf('supersede', item), supersedes: replaced }],
    }
  if (found !== undefined) {
    // Most statements are never changed, so an earlier one becomes an item only when another replaces it.
    const added: readonly MemoryEvent[] = state.items.has(found.id)
      ? []
      : [{ kind: 'added', at, item: found }]
    return {
      events: [...added, ...plan.events, supersession(found, item, at)],
      changes: [{ ...changeOf('supersede', item), supersedes: found.id }],
    }
  }
  const opposite = contradicts(state, item, at)
  if (!opposite) return { events: plan.events, changes: [changeOf('add', item)] }
  const flag = contradictionFlag(context.newFlag(), opposite.item, item, at)
  return {
    events: [...plan.events, flag],
    changes: [changeOf('add', item), { ...changeOf('flag', item), supersedes: opposite.item.id }],
  }
}

/** Stores the new value beside the old one and asks the user which holds. */
function planDoubt(old: MemoryItem, newer: MemoryItem, flag: string, at: number): ClaimStep {
  const reason = 'a later message gives another value without saying that it changed'
  return {
    events: [
      { kind: 'added', at, item: newer },
      { kind: 'flagged', at, id: flag, items: [old.id, newer.id], reason },
    ],
    changes: [changeOf('add', newer), { ...changeOf('flag', newer), supersedes: old.id }],
  }
}

function itemOf(
  claim: Claim,
  target: MemoryItem | undefined,
  scope: Scope,
  { message, place, role, saidAt }: ClaimContext,
): NewItem {
  const kind = target?.kind ?? claim.kind
  const category = target?.category ?? claim.category
  const attribute = target?.attribute ?? claim.attribute
  return {
    kind,
    text: claim.text,
    scope: target?.scope ?? scope,
    category,
    ...(kind === 'preference'
      ? {}
      : { subject: target?.subject ?? (claim.owner === 'user' ? 'user' : 'project') }),
    ...(attribute === undefined ? {} : { attribute }),
    ...(claim.value === undefined ? {} : { value: claim.value }),
    confidence:
      target !== undefined && role === 'user'
        ? Math.max(claim.confidence, correctedConfidence)
        : claim.confidence,
    source: { origin: role, message: message.id, session: place.session, quote: claim.quote },
    validFrom: validSince(claim, target, saidAt),
    ...(claim.until === undefined ? {} : { expiresAt: claim.until }),
  }
}

/** The least confidence in an item that a user has corrected. */
const correctedConfidence = 0.9

/** A change cannot take effect before the item that it replaces was true, unless that item starts after the message. */
function validSince(claim: Claim, target: MemoryItem | undefined, saidAt: number): number {
  const since = claim.since ?? saidAt
  if (target === undefined || target.validFrom > saidAt) return since
  return Math.max(since, target.validFrom)
}
