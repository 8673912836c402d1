import type { Engine, EngineRequest } from '../../src/core/engine.ts'
import { proseOutsideCodeBlocks } from '../../src/core/render/index.ts'
import { noteOf, withNote } from '../../src/core/render/input-note.ts'
import type { Place } from '../../src/core/session/items.ts'
import type { ProjectedChange } from '../../src/core/session/project.ts'
import type { Decision } from '../../src/core/words/decision.ts'
import type { Item, ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { checkClaims } from './claims.ts'

/** A promise that a request broke, in words that say where. */
export type Fault = string

export interface CheckedRequest {
  readonly engine: Engine
  readonly settings: Settings
  readonly messages: readonly MessageDraft[]
  readonly request: EngineRequest
  /** Decisions that were checked with an earlier request; new ones are added. */
  readonly known?: Set<Decision>
}

interface ChangedItem {
  readonly change: ProjectedChange
  readonly draft: ItemDraft
  readonly message: MessageDraft
  readonly item: Item | undefined
}

/** What must hold of every change that the engine makes to a request. */
export function faultsOf(checked: CheckedRequest): readonly Fault[] {
  const { request, messages, engine } = checked
  const faults: Fault[] = []
  // The engine fails open; here nothing may fail at all.
  if (request.fault !== null) faults.push(`turn ${request.turn}: ${String(request.fault)}`)
  faults.push(...checkClaims(checked).untrue)
  let last = { message: -1, item: -1 }
  for (const change of request.changes) {
    const where = `turn ${request.turn}, item ${change.message}.${change.item}`
    const message = messages[change.message]
    const draft = message?.items[change.item]
    if (message === undefined || draft === undefined) {
      faults.push(`${where}: there is no such item`)
      continue
    }
    if (!isAfter(change, last)) faults.push(`${where}: out of order, or twice`)
    last = change
    const ofCall = draft.kind === 'result' ? noteOf(change.decision.rendition) : null
    if (ofCall !== null) {
      if (change.text !== withNote(draft.text, ofCall)) faults.push(`${where}: is not as it came`)
      continue
    }
    if (checked.known?.has(change.decision) === true) continue
    checked.known?.add(change.decision)
    const changed = { change, draft, message, item: engine.find(change.decision.handle) }
    for (const check of [recoverable, shorter, untouchable, protectedFromAll, pointing, replaced]) {
      const fault = check(changed, checked)
      if (fault !== null) faults.push(`${where}: ${fault} ${JSON.stringify(change)}`)
    }
  }
  return [...faults, ...wholeFaults(checked)]
}

function isAfter(one: Place, other: Place): boolean {
  return one.message > other.message || (one.message === other.message && one.item > other.item)
}

type Check = (changed: ChangedItem, checked: CheckedRequest) => string | null

/** The handle finds the original, and what is left of it names it to the model; a dash stands for reasoning. */
const recoverable: Check = ({ change, draft, item }, { request, messages }) => {
  const { handle } = change.decision
  if (!/^[0-9a-f]{6,}$/.test(handle)) return 'has no handle'
  if (item === undefined) return 'the handle finds nothing'
  if (item.text !== draft.text || item.kind !== draft.kind) return 'the handle finds something else'
  if (draft.kind === 'reasoning' || change.text === null) return null
  const note = noteOf(change.decision.rendition)
  if (note === null || draft.kind !== 'call')
    return change.text.includes(handle) ? null : 'the model is not told the handle'
  const isTold = request.changes.some(({ message, item: at, text }) => {
    const result = messages[message]?.items[at]
    return result?.kind === 'result' && result.call === draft.call && text?.endsWith(note)
  })
  return isTold && note.includes(handle) ? null : 'its result does not tell the model the handle'
}

const shorter: Check = ({ change, draft }) => {
  const { text, decision } = change
  if (text === null) {
    return draft.kind === 'reasoning' || draft.kind === 'marker' ? null : 'is left out whole'
  }
  if (text === '') return 'is empty'
  if (draft.kind === 'call' && isObject(draft.text) && !isPartOf(text, draft.text))
    return 'is no part of the object that it was'
  // What is said of a call in its result counts with the call.
  const { how, text: counted } = decision.rendition
  return how === 'view' || (counted !== null && counted.length < draft.text.length)
    ? null
    : 'is no shorter'
}

const untouchable: Check = ({ change, draft, message }) => {
  if (draft.opaque === true) return 'belongs to the provider'
  if (draft.kind === 'reasoning' && draft.binding !== 'plain' && change.text !== null) {
    return 'is signed and rewritten'
  }
  if (draft.kind !== 'text' || message.role === 'assistant') return null
  if (change.decision.reason !== 'code-block') return 'is prose of the user'
  const prose = proseOutsideCodeBlocks(draft.text)
  const kept = proseOutsideCodeBlocks(change.text ?? '')
  return JSON.stringify(prose) === JSON.stringify(kept) ? null : 'changes prose of the user'
}

const protectedFromAll: Check = (
  { change, draft, item, message },
  { settings, request, messages },
) => {
  if (!settings.enabled) return 'is changed though all is switched off'
  if ('tool' in draft && settings.protectedTools.includes(draft.tool)) return 'is protected by tool'
  const { how } = change.decision.rendition
  const isFirst = item !== undefined && change.decision.turn === item.turn + 1
  // How an item is first shown takes nothing away that was there.
  const isAdmitted = isFirst && (how === 'pointer' || how === 'truncated')
  if (item !== undefined && !isAdmitted && item.turn + settings.turnProtection >= request.turn) {
    return `is in the protected turns (${item.turn})`
  }
  if (draft.kind === 'result' && draft.status === 'running') return 'is still running'
  if (draft.kind === 'call') {
    const answered = messages.some(({ items }) =>
      items.some(
        (one) => one.kind === 'result' && one.call === draft.call && one.status !== 'running',
      ),
    )
    if (!answered) return 'is a call without a result'
  }
  const isFile = message.role === 'tool' || draft.kind === 'call'
  if (!isFile || settings.protectedFilePatterns.length === 0) return null
  const named = `${draft.text} ${inputOf(draft, messages)}`
  return /config\/\.env\b/.test(named) ? 'is about a protected file' : null
}

function inputOf(draft: ItemDraft, messages: readonly MessageDraft[]): string {
  if (draft.kind !== 'result') return ''
  const calls = messages.flatMap(({ items }) => items)
  return calls.find((one) => one.kind === 'call' && one.call === draft.call)?.text ?? ''
}

/** What a pointer points to stands in the same request, if only in part, unless something newer replaced both. */
const pointing: Check = ({ change, item }, { request, messages, engine }) => {
  const { by, decision } = change
  if (decision.rendition.how !== 'pointer') return null
  const target = by === null ? undefined : messages[by.message]?.items[by.item]
  if (by === null || target === undefined) return 'points to nothing'
  const other = request.changes.find((each) => each.message === by.message && each.item === by.item)
  if (other?.decision.rendition.how !== 'superseded') return null
  const newer = other.decision.by === null ? undefined : engine.record.items[other.decision.by]
  return newer !== undefined && item !== undefined && newer.turn > item.turn
    ? null
    : `points to what is hidden: ${JSON.stringify(other)}`
}

const superseding = new Set(['hash', 'file', 'todo', 'url', 'search', 'query', 'snapshot', 'retry'])

/** Success on both sides, and only calls of earlier turns. */
const replaced: Check = ({ change, draft, item }, { messages, engine }) => {
  const { decision, by } = change
  if (!superseding.has(decision.reason) || decision.rendition.how !== 'superseded') return null
  if (decision.by === null || by === null) return 'is replaced by nothing'
  const other = engine.record.items[decision.by]
  const shown = messages[by.message]?.items[by.item]
  if (other === undefined || shown?.text !== other.text) return 'is replaced by something elsewhere'
  if (item !== undefined && other.turn <= item.turn) return 'is replaced by the same turn'
  if (other.kind === 'result' && other.status !== 'ok') return 'is replaced by a failure'
  if (draft.kind !== 'result') return null
  // A retry may replace a command whose failure only its exit code tells, which not every wire passes on.
  const isFit = decision.reason === 'retry' ? draft.status !== 'running' : draft.status === 'ok'
  return isFit ? null : `is replaced though its status was ${draft.status}`
}

function wholeFaults({ messages, request }: CheckedRequest): readonly Fault[] {
  const before = messages
    .flatMap(({ items }) => items)
    .reduce((sum, { text }) => sum + text.length, 0)
  const saved = request.changes.reduce((sum, change) => {
    const original = messages[change.message]?.items[change.item]?.text.length ?? 0
    return sum + original - (change.text?.length ?? 0)
  }, 0)
  const faults: Fault[] =
    saved < 0 ? [`turn ${request.turn}: larger than ${before} characters`] : []
  return newestListHidden(messages, request)
    ? [...faults, 'the newest task list is hidden']
    : faults
}

function newestListHidden(messages: readonly MessageDraft[], { changes }: EngineRequest): boolean {
  const lists = /^(todo_?write|write_todos|update_plan)$/i
  for (let position = messages.length - 1; position >= 0; position--) {
    const message = messages[position] as MessageDraft
    for (const item of message.items) {
      if (item.kind !== 'result' || item.status !== 'ok' || !lists.test(item.tool)) continue
      return changes.some((change) => {
        const draft = messages[change.message]?.items[change.item]
        return draft?.kind === 'call' && draft.call === item.call
      })
    }
  }
  return false
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** True for an object with no key that the other has not, at any depth: a model that copies it sends nothing new. */
function isPartOf(text: string, original: string): boolean {
  return isObject(text) && hasNoNewKey(JSON.parse(text), JSON.parse(original))
}

function hasNoNewKey(value: unknown, original: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (typeof original !== 'object' || original === null) return false
  return Object.entries(value).every(([key, field]) =>
    Object.entries(original).some(([known, other]) => known === key && hasNoNewKey(field, other)),
  )
}

/** The request as it goes out: a stand-in for an attachment is a text. */
export function applyChanges(
  messages: readonly MessageDraft[],
  changes: readonly ProjectedChange[],
): readonly MessageDraft[] {
  const texts = new Map(changes.map(({ message, item, text }) => [`${message}.${item}`, text]))
  const changed = new Set(changes.map(({ message }) => message))
  return messages.map((message, position) => {
    if (!changed.has(position)) return message
    const items = message.items.flatMap((item, ordinal): readonly ItemDraft[] => {
      const text = texts.get(`${position}.${ordinal}`)
      if (text === undefined) return [item]
      if (text === null) return []
      return [item.kind === 'attachment' ? { kind: 'text', text } : { ...item, text }]
    })
    return { ...message, items }
  })
}
