import type { Settings } from '../core/words/settings.ts'
import type { DecidedItem } from '../report/decided-items.ts'
import { logLines } from '../report/log-lines.ts'
import { hasEffect } from '../report/stats.ts'
import { countPruned, statusLine } from '../report/status-line.ts'
import type { Conversation } from './conversation.ts'
import type { Notices } from './notices.ts'

interface NoticeParts {
  readonly settings: Pick<Settings, 'pruneNotification'>
  readonly notices: Pick<Notices, 'toast'>
}

/** Tells the user that something was pruned, as `pruneNotification` says. It costs no call to a model. */
export function pruneNotice(
  conversation: Conversation,
  { settings, notices }: NoticeParts,
  known: readonly DecidedItem[] = [],
): void {
  if (settings.pruneNotification === 'off') return
  const fresh = [...known, ...conversation.observe()]
  const line = statusLine(countPruned(conversation.decided.all()))
  if (line === null || !fresh.some(hasEffect)) return
  const details = settings.pruneNotification === 'detailed' ? detailsOf(fresh, conversation) : []
  notices.toast([line, ...details].join('\n'))
}

const mostDetails = 8

function detailsOf(items: readonly DecidedItem[], { engine }: Conversation): readonly string[] {
  const lines = logLines(items, engine)
  const rest = lines.length - mostDetails
  return rest > 0 ? [...lines.slice(0, mostDetails), `… ${rest} more`] : lines
}
