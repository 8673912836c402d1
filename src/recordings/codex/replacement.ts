import { arrayOf, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { Conversation } from '../conversation.ts'
import { textOf } from '../json-fields.ts'
import { type CodexItem, codexItem } from './items.ts'

/** The history after a compaction: positions of the messages it kept, and the items it added. */
export interface Replacement {
  readonly keeps: readonly number[]
  readonly written: readonly JsonObject[]
}

/**
 * Codex records the whole history after a compaction. Items whose content equals a visible message are kept messages;
 * the others are new. Older versions record only a summary: they keep all messages to the model and add the summary.
 */
export function replacementOf(payload: JsonObject, conversation: Conversation): Replacement {
  if (!Array.isArray(payload.replacement_history)) {
    const keeps = conversation.visible.filter((position) =>
      ['system', 'developer', 'user'].includes(conversation.at(position)!.role),
    )
    const summary = textOf(payload.message)
    const content = [{ type: 'input_text', text: summary }]
    return { keeps, written: summary ? [{ type: 'message', role: 'user', content }] : [] }
  }
  const places = placesOf(conversation)
  const keeps = new Set<number>()
  const written: JsonObject[] = []
  for (const value of arrayOf(payload.replacement_history)) {
    const item = objectOf(value)
    const read = codexItem(item)
    if (!read) continue
    const key = keyOf(read)
    const waiting = key === null ? undefined : places.get(key)
    // Each message matches one item, except the last, which matches all that remain.
    const place = waiting && (waiting.length > 1 ? waiting.shift() : waiting[0])
    if (place === undefined) written.push(item)
    else keeps.add(place)
  }
  return { keeps: [...keeps].sort((left, right) => left - right), written }
}

function placesOf(conversation: Conversation): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const put = (key: string, position: number): void => {
    const known = places.get(key)
    if (known) known.push(position)
    else places.set(key, [position])
  }
  for (const position of conversation.visible) {
    const { role, items } = conversation.at(position)!
    if (role === 'user' || role === 'developer' || role === 'system') {
      put(`${role}\n${items.map(({ text }) => text).join('\n')}`, position)
      continue
    }
    for (const item of items) {
      if (item.kind === 'call' || item.kind === 'result')
        put(`${item.kind}\n${item.call}`, position)
      else if (item.kind === 'text') put(`${role}\n${item.text}`, position)
    }
  }
  return places
}

/** The key that equal content shares; null for items that have none. */
function keyOf(item: CodexItem): string | null {
  switch (item.kind) {
    case 'message':
      return `${item.role}\n${item.items.map(({ text }) => text).join('\n')}`
    case 'call':
    case 'result':
      return item.recorded === null ? null : `${item.kind}\n${item.recorded}`
    case 'reasoning':
    case 'marker':
      return null
  }
}
