import { otherOptions } from '../../words/call-key.ts'
import type { Operation } from '../../words/operation.ts'
import { withoutTrailing } from '../../words/text.ts'
import type { StrategyFactory } from '../strategy.ts'
import { newestByKey } from './newest-by-key.ts'

/** The newest fetch of a page, and the newest answer to a web search, stay. */
export const url: StrategyFactory = (settings) =>
  settings.pruneSourceUrls
    ? newestByKey({
        reason: 'url',
        strategy: 'pruneSourceUrls',
        actions: ['fetch'],
        keyOf: fetchKey,
      })
    : null

/** Fields that do not change the result of a fetch. All others do: a prompt, a page, an offset. */
const plainFields: ReadonlySet<string> = new Set([
  ...['url', 'urls', 'uri', 'href', 'query', 'q', 'searchquery', 'searchterm', 'queries'],
  ...['format', 'timeout', 'timeoutms', 'description', 'explanation', 'title', 'headers'],
])

function fetchKey({ action, call }: Operation): string | null {
  if (action.kind !== 'fetch') return null
  const options = otherOptions(call.text, plainFields)
  if (action.url !== null) return `url ${normalisedUrl(action.url)}\n${options}`
  if (action.query === null) return null
  return `query ${call.tool} ${action.query.trim().replaceAll(/\s+/g, ' ')}\n${options}`
}

/**
 * The normal form of a URL: scheme and host in lower case, without default port, fragment and trailing slash. The order of
 * query parameters may matter to a server, so it stays.
 */
export function normalisedUrl(address: string): string {
  const text = address.trim()
  if (!URL.canParse(text)) return withoutTrailing(text.split('#', 1)[0] ?? '', '/')
  const parsed = new URL(text)
  const login = parsed.username === '' ? '' : `${parsed.username}:${parsed.password}@`
  const path = withoutTrailing(parsed.pathname, '/')
  return `${parsed.protocol}//${login}${parsed.host}${path}${parsed.search}`
}
