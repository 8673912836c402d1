import { attributeKey } from '../attribute-key.ts'
import { declaredCardinality } from '../cardinality.ts'
import { comparable } from '../comparable.ts'
import type { Injected } from '../inject/injected.ts'
import { type ItemSource, itemKey, type MemoryItem, type MemoryKind } from '../item.ts'
import {
  type Cardinality,
  type HeardMessage,
  heardKey,
  type MemoryEvent,
  type ReviewOutcome,
} from './event.ts'
import { Timeline } from './timeline.ts'

/** One supersession, on both clocks. `endedAt` is when the link was undone. */
export interface Link {
  readonly old: string
  readonly new: string
  readonly validAt: number
  readonly recordedAt: number
  readonly reason?: string
  endedAt?: number
}

/** A time at which an item stopped being true without a successor. */
export interface Ending {
  readonly validAt: number
  readonly recordedAt: number
  endedAt?: number
}

export interface Retraction {
  readonly recordedAt: number
  readonly reason?: string
  endedAt?: number
}

/** An item with everything that happened to it. */
export interface ItemState {
  readonly item: MemoryItem
  /** Its position among all items ever added. */
  readonly place: number
  /** Links to the items that replaced it, and to those it replaced. */
  replacedBy: readonly Link[]
  replaces: readonly Link[]
  retractions: readonly Retraction[]
  endings: readonly Ending[]
  reinforcements: readonly Reinforcement[]
}

export interface Reinforcement {
  readonly at: number
  readonly validAt: number
  readonly source: ItemSource
}

export interface Flag {
  readonly id: string
  readonly at: number
  readonly items: readonly [string, string]
  readonly reason: string
  verdict?: ReviewOutcome
}

export interface Tombstone {
  readonly id: string
  readonly was: MemoryKind
  readonly at: number
}

/** Memory that was injected into a conversation, and when. */
export interface Injection {
  readonly at: number
  readonly told: Injected
}

type ExportedEvent = Extract<MemoryEvent, { readonly kind: 'exported' }>

/** The state that the log gives. Only `apply` changes it. */
export class MemoryState {
  readonly items: Map<string, ItemState> = new Map()
  readonly tombstones: Map<string, Tombstone> = new Map()
  readonly flags: Map<string, Flag> = new Map()
  /** The stored messages by `heardKey`, in the order they were added. */
  readonly heard: Map<string, HeardMessage> = new Map()
  readonly #heardIds: Set<string> = new Set()
  /** Injected memory, by session. */
  readonly told: Map<string, Injection[]> = new Map()
  /** Files and folders it was exported to. */
  readonly exports: Map<string, ExportedEvent> = new Map()
  readonly cardinalities: Map<string, Cardinality> = new Map()
  readonly #timeline: Timeline<ItemState> = new Timeline()
  readonly #byKey: Map<string, ItemState[]> = new Map()
  readonly #byAttribute: Map<string, ItemState[]> = new Map()
  readonly #byText: Map<string, ItemState[]> = new Map()
  /** The time of the newest event. */
  recordedAt = 0
  /** How many events were applied. */
  revision = 0

  /** Never throws: an event about an unknown item changes nothing, because `forget` may have removed the item. */
  apply(event: MemoryEvent): void {
    this.recordedAt = Math.max(this.recordedAt, event.at)
    this.revision++
    switch (event.kind) {
      case 'added':
        this.#add(event.item)
        break
      case 'superseded': {
        const link: Link = {
          old: event.old,
          new: event.new,
          validAt: event.validAt,
          recordedAt: event.at,
          ...(event.reason === undefined ? {} : { reason: event.reason }),
        }
        const older = this.items.get(event.old)
        const newer = this.items.get(event.new)
        if (older) {
          older.replacedBy = [...older.replacedBy, link]
          this.#timeline.unsettle(older.place)
        }
        if (newer) newer.replaces = [...newer.replaces, link]
        break
      }
      case 'unlinked': {
        const link = this.activeLink(event.old, event.new)
        if (link) link.endedAt = event.at
        break
      }
      case 'retracted':
        this.#change(event.id, (entry) => {
          const reason = event.reason === undefined ? {} : { reason: event.reason }
          entry.retractions = [...entry.retractions, { recordedAt: event.at, ...reason }]
        })
        break
      case 'unretracted':
        for (const retraction of this.items.get(event.id)?.retractions ?? [])
          retraction.endedAt ??= event.at
        break
      case 'ended':
        this.#change(event.id, (entry) => {
          const ending = { validAt: event.validAt, recordedAt: event.at }
          entry.endings = [...entry.endings, ending]
        })
        break
      case 'resumed':
        for (const ending of this.items.get(event.id)?.endings ?? []) ending.endedAt ??= event.at
        break
      case 'heard':
        this.heard.set(heardKey(event.message), event.message)
        this.#heardIds.add(event.message.id)
        break
      case 'told':
        pushInto(this.told, event.told.session, { at: event.at, told: event.told })
        break
      case 'exported':
        // Machines that share a store may have files of the same name.
        this.exports.set(`${event.id ?? ''} ${event.path}`, event)
        break
      case 'reinforced':
        this.#change(event.id, (entry) => {
          const { at, validAt, source } = event
          entry.reinforcements = [...entry.reinforcements, { at, validAt, source }]
        })
        break
      case 'flagged':
        this.flags.set(event.id, {
          id: event.id,
          at: event.at,
          items: event.items,
          reason: event.reason,
        })
        break
      case 'reviewed': {
        const flag = this.flags.get(event.flag)
        if (flag) flag.verdict = event.verdict
        break
      }
      case 'declared':
        this.cardinalities.set(attributeKey(event.attribute), event.cardinality)
        break
      case 'forgotten':
        this.#remove(event.id)
        this.tombstones.set(event.id, { id: event.id, was: event.was, at: event.at })
        break
    }
  }

  /**
   * Items recorded by one time and true by another, in the order they were added. `holds` is called for items that
   * changed since.
   */
  itemsBy(
    recorded: number,
    valid: number,
    holds: (entry: ItemState) => boolean,
  ): readonly ItemState[] {
    return this.#timeline.by(recorded, valid, holds)
  }

  /** Whether a message of this id was heard in any session. */
  hasHeard(id: string): boolean {
    return this.#heardIds.has(id)
  }

  /** Items of one key in the order they were added, with retracted and superseded ones. */
  withKey(key: string): readonly ItemState[] {
    return this.#byKey.get(key) ?? []
  }

  withText(kind: MemoryKind, scope: string, text: string): readonly ItemState[] {
    return this.#byText.get(textKey(kind, scope, text)) ?? []
  }

  /** Items about one attribute, of any kind and scope. `attribute` as `attributeKey` gives it. */
  withAttribute(attribute: string): readonly ItemState[] {
    return this.#byAttribute.get(attribute) ?? []
  }

  activeLink(old: string, replacement: string): Link | undefined {
    const links = this.items.get(old)?.replacedBy ?? this.items.get(replacement)?.replaces ?? []
    return links.find(
      (link) => link.old === old && link.new === replacement && link.endedAt === undefined,
    )
  }

  cardinality(item: MemoryItem): Cardinality {
    if (item.attribute === undefined) return 'many'
    if (item.kind === 'preference') return 'single'
    return (
      this.cardinalities.get(attributeKey(item.attribute)) ?? declaredCardinality(item.attribute)
    )
  }

  #change(id: string, change: (entry: ItemState) => void): void {
    const entry = this.items.get(id)
    if (!entry) return
    change(entry)
    this.#timeline.unsettle(entry.place)
  }

  #add(item: MemoryItem): void {
    if (this.items.has(item.id) || this.tombstones.has(item.id)) return
    const state: ItemState = {
      item,
      place: this.#timeline.size,
      replacedBy: none,
      replaces: none,
      retractions: none,
      endings: none,
      reinforcements: none,
    }
    this.items.set(item.id, state)
    this.#timeline.add(state, item.recordedAt, item.validFrom)
    if (item.expiresAt !== undefined) this.#timeline.unsettle(state.place)
    const key = itemKey(item)
    if (key !== undefined) pushInto(this.#byKey, key, state)
    if (item.attribute !== undefined)
      pushInto(this.#byAttribute, attributeKey(item.attribute), state)
    pushInto(this.#byText, textKey(item.kind, item.scope, item.text), state)
  }

  #remove(id: string): void {
    const state = this.items.get(id)
    if (!state) return
    this.items.delete(id)
    this.#timeline.remove(state.place)
    const key = itemKey(state.item)
    if (key !== undefined) dropFrom(this.#byKey, key, state)
    if (state.item.attribute !== undefined)
      dropFrom(this.#byAttribute, attributeKey(state.item.attribute), state)
    dropFrom(this.#byText, textKey(state.item.kind, state.item.scope, state.item.text), state)
    for (const [flag, { items }] of this.flags) if (items.includes(id)) this.flags.delete(flag)
  }
}

const none: readonly never[] = []

function textKey(kind: MemoryKind, scope: string, text: string): string {
  return `${kind}\u001f${scope}\u001f${comparable(text)}`
}

function pushInto<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function dropFrom<T>(map: Map<string, T[]>, key: string, value: T): void {
  const left = (map.get(key) ?? []).filter((entry) => entry !== value)
  if (left.length === 0) map.delete(key)
  else map.set(key, left)
}
