import { otherOptions } from '../../words/call-key.ts'
import type { Operation } from '../../words/operation.ts'
import type { StrategyFactory } from '../strategy.ts'
import { newestByKey } from './newest-by-key.ts'

/** The newest of the same search in files, by name or by content, stays. */
export const search: StrategyFactory = (settings) =>
  settings.searchSupersede
    ? newestByKey({
        reason: 'search',
        strategy: 'searchSupersede',
        actions: ['glob', 'search'],
        keyOf,
      })
    : null

/** Fields that are part of the key or do not affect the search. All others change the result. */
const plainFields: ReadonlySet<string> = new Set([
  ...[
    'pattern',
    'regex',
    'query',
    'searchterm',
    'searchpattern',
    'globpattern',
    'filename',
    'name',
  ],
  ...['include', 'includepattern', 'glob', 'filepattern', 'fileglob'],
  ...['path', 'dirpath', 'directory', 'dir', 'filepath', 'searchpath', 'root', 'cwd'],
  ...['description', 'explanation', 'title'],
])

function keyOf({ action, call }: Operation): string | null {
  const key = searchKey(action)
  return key === null ? null : `${key}\n${otherOptions(call.text, plainFields)}`
}

/** `glob:{path}:{pattern}` or `grep:{path}:{pattern}:{include}`; null for any other action. */
export function searchKey(action: Operation['action']): string | null {
  switch (action.kind) {
    case 'glob':
      return `glob:${action.path ?? ''}:${action.pattern}`
    case 'search':
      return `grep:${action.path ?? ''}:${action.pattern}:${action.include ?? ''}`
    default:
      return null
  }
}
