import { isListing } from '../../render/describe-operation.ts'
import { placeholderFor } from '../../render/placeholders.ts'
import type { Operation } from '../../words/operation.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const listingCommand = /^(?:ls|ll|dir|tree|pwd|exa|eza)(?:\s|$)/
const focusTool = /^(?:.*(?:__|[.:/]))?(?:un)?focus$/i

/** `history.recentOnly`: listings and focus calls are kept while they are among the newest results of all tools. */
export const recentOnly: StrategyFactory = (settings) => {
  const { history } = settings
  if (!history.recentOnly) return null
  const light: { readonly operation: Operation; readonly ordinal: number }[] = []
  let results = 0
  return {
    name: 'recentOnly',
    *operation(operation, view) {
      results++
      while (light[0] !== undefined && results - light[0].ordinal >= history.recentResults) {
        const older = light.shift()!.operation
        const { result } = older
        if (result === null || !isUntouched(result, view)) continue
        const recall = { handle: result.handle, restore: view.restore }
        const text = placeholderFor(older, null, 'output', recall)
        yield {
          kind: 'show',
          item: result,
          rendition: { how: 'superseded', text },
          reason: 'output',
          strategy: 'recentOnly',
          by: null,
        }
      }
      if (operation.status === 'ok' && isLight(operation)) {
        light.push({ operation, ordinal: results })
      }
    },
  }
}

function isLight({ action, call }: Operation): boolean {
  switch (action.kind) {
    case 'glob':
      return isListing(action)
    case 'shell':
      return action.query !== null && listingCommand.test(action.query)
    case 'other':
      return focusTool.test(call.tool)
    default:
      return false
  }
}
