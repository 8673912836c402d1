import type { RequestRead } from './format.ts'

/**
 * The definitions of tools in a request, each a JSON text: those in the field for them, and those that are items of the
 * conversation, where Codex puts the tools of some models.
 */
export function offeredTools({
  prefix,
  messages,
}: Pick<RequestRead, 'prefix' | 'messages'>): readonly string[] {
  const own = prefix.tools === '' || prefix.tools === '[]' ? [] : [prefix.tools]
  const items = messages.flatMap((message) => (message.role === 'developer' ? message.items : []))
  const added = items.flatMap((item) =>
    item.kind === 'marker' && item.marker === 'additional_tools' ? [item.text] : [],
  )
  return [...own, ...added]
}
