import { arrayOf, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { Conversation } from '../conversation.ts'
import { textOf } from '../json-fields.ts'
import { type CodexItem, codexItem } from './items.ts'

/** What a compaction leaves: messages that were there before, and items that it wrote. */
export interface Replacement {
  readonly keeps: readonly number[]
  readonly written: readonly JsonObject[]
}

/**
 * Codex writes the whole history that goes on after a compaction. What it repeats of the messages in view is kept, found
 * by content, so that nothing is counted twice; the rest is new. A compaction of an older version has a summary only:
 * it keeps what was said to the model and adds the summary.
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
    // Each message stands for one repetition, but for the last: a group of items repeats its place for each of them.
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

/** null: cannot be told apart from others of its kind. */
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
