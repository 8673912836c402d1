import type { Role } from './item.ts'

/** How many messages the previous request had: those before the newest answer. */
export function countBeforeAnswer(messages: readonly { readonly role: Role }[]): number {
  let newest = messages.findLastIndex(({ role }) => role === 'assistant')
  while (messages[newest - 1]?.role === 'assistant') newest--
  return Math.max(0, newest)
}
