import type { RequestRead } from './format.ts'

/**
 * The tool definitions of a request, each as JSON text: those of the `tools` field, and those in the conversation, where
 * Codex puts them for some models.
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
