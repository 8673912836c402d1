import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'

export interface PlacedItem {
  readonly index: number
  readonly where: string
  /** The item's `type`, or the one that an item without a type has. */
  readonly type: string
  readonly role: string
  readonly id: string | null
  readonly item: JsonObject
}

export interface ResponsesRequest {
  readonly body: JsonObject
  readonly items: readonly PlacedItem[]
}

export function view(body: JsonObject): ResponsesRequest {
  return { body, items: viewItems(body.input) }
}

/** The items of `input` with paths as this API writes them: `input[3]`. A string is one user message. */
function viewItems(input: unknown): readonly PlacedItem[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : arrayOf(input)
  return items.map((entry, index) => {
    const item: JsonObject = isJsonObject(entry) ? entry : {}
    const role = typeof item.role === 'string' ? item.role : ''
    const id = typeof item.id === 'string' && item.id !== '' ? item.id : null
    const untyped = role !== '' ? 'message' : id === null ? '' : 'item_reference'
    const type = typeof item.type === 'string' ? item.type : untyped
    return { index, where: `input[${index}]`, type, role, id, item }
  })
}

/** The field by which the provider stores the conversation, so `input` has only new items; null if it does not. */
export function storedBy(body: JsonObject): 'previous_response_id' | 'conversation' | null {
  if (typeof body.previous_response_id === 'string') return 'previous_response_id'
  return body.conversation !== undefined && body.conversation !== null ? 'conversation' : null
}
