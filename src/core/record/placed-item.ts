import { type Item, type ItemDraft, type Role, roleOfItem } from '../words/item.ts'

/** Where an item stands in a record. */
export interface ItemPlace {
  readonly index: number
  readonly message: number
  readonly turn: number
  readonly handle: string
}

/** Gives a draft its place in the record. Its tokens are counted on first use. */
export function placedItem(
  draft: ItemDraft,
  messageRole: Role,
  place: ItemPlace,
  sizeOf: (text: string) => number,
): Item {
  // The class sets the members of the draft's kind, which its type cannot express.
  return new PlacedItem(draft, messageRole, place, sizeOf) as unknown as Item
}

class PlacedItem {
  readonly kind: ItemDraft['kind']
  readonly text: string
  readonly index: number
  readonly message: number
  readonly role: Role
  readonly turn: number
  readonly handle: string
  declare readonly opaque?: true
  declare readonly tool?: string
  declare readonly call?: string
  declare readonly status?: string
  declare readonly binding?: string
  declare readonly media?: string
  declare readonly marker?: string
  readonly #sizeOf: (text: string) => number
  #tokens = -1

  constructor(
    draft: ItemDraft,
    messageRole: Role,
    { index, message, turn, handle }: ItemPlace,
    sizeOf: (text: string) => number,
  ) {
    this.kind = draft.kind
    this.text = draft.text
    this.index = index
    this.message = message
    this.role = roleOfItem(draft, messageRole)
    this.turn = turn
    this.handle = handle
    this.#sizeOf = sizeOf
    switch (draft.kind) {
      case 'call':
        this.tool = draft.tool
        this.call = draft.call
        break
      case 'result':
        this.tool = draft.tool
        this.call = draft.call
        this.status = draft.status
        break
      case 'reasoning':
        this.binding = draft.binding
        break
      case 'attachment':
        this.media = draft.media
        if (draft.call !== undefined) this.call = draft.call
        break
      case 'marker':
        this.marker = draft.marker
        break
      case 'text':
        break
    }
    if (draft.opaque !== undefined) this.opaque = draft.opaque
  }

  get tokens(): number {
    if (this.#tokens < 0) this.#tokens = this.#sizeOf(this.text)
    return this.#tokens
  }
}
