import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'

export interface PlacedItem {
  readonly index: number
  readonly where: string
  /** The item's `type`; a message and a reference may leave it out. */
  readonly type: string
  readonly role: string
  readonly id: string | null
  readonly item: JsonObject
}

/** The items of `input` with the places that this API names: `input[3]`. A plain text is one message of the user. */
export function viewItems(input: unknown): readonly PlacedItem[] {
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

/** What the provider keeps of the conversation, so that `input` is only its end: the field's name, or null. */
export function storedBy(body: JsonObject): 'previous_response_id' | 'conversation' | null {
  if (typeof body.previous_response_id === 'string') return 'previous_response_id'
  return body.conversation !== undefined && body.conversation !== null ? 'conversation' : null
}
