import type { Role } from './item.ts'

/** How many messages of a history were sent with the request before: those before the newest answer. */
export function countBeforeAnswer(messages: readonly { readonly role: Role }[]): number {
  let newest = messages.findLastIndex(({ role }) => role === 'assistant')
  while (messages[newest - 1]?.role === 'assistant') newest--
  return Math.max(0, newest)
}
