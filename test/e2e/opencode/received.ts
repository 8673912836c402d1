import type { ItemDraft } from '../../../src/core/words/item.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import type { LoggedRequest } from '../../model/server.ts'

/** What one request showed the model, item by item, without system prompt and reminders. */
export function receivedItems(request: LoggedRequest): readonly string[] {
  const format = bodyFormats[request.api ?? 'anthropic']
  return format
    .read(request.body)
    .messages.filter(({ role }) => role !== 'system' && role !== 'developer')
    .flatMap(({ items }) => items.map(lineOf))
    .filter((line) => !line.includes('<system-reminder>'))
}

function lineOf(item: ItemDraft): string {
  const call = item.kind === 'call' || item.kind === 'result' ? ` ${item.call}` : ''
  return `${item.kind}${call}: ${item.text}`
}

/** The requests, counted from 1, at which something changed that the one before had shown. */
export function changedAt(requests: readonly (readonly string[])[]): readonly number[] {
  return requests.flatMap((items, at) => {
    const before = requests[at - 1] ?? []
    return before.every((line, index) => line === items[index]) ? [] : [at + 1]
  })
}
