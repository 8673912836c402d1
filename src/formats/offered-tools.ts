import type { RequestRead } from './format.ts'

/**
 * The tool definitions of a request, each as JSON text: those of the `tools` field, and those in the conversation, where
 * Codex puts them for some models.
 */
export function offeredTools({
  prefix,
  messages,
}: Pick<RequestRead, 'prefix' | 'messages'>): readonly string[] {
  const tools = prefix.tools === '' || prefix.tools === '[]' ? [] : [prefix.tools]
  for (const { role, items } of messages) {
    if (role !== 'developer') continue
    for (const item of items) {
      if (item.kind === 'marker' && item.marker === 'additional_tools') tools.push(item.text)
    }
  }
  return tools
}
