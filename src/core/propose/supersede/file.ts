import type { StrategyFactory } from '../strategy.ts'
import { CurrentView } from './current-view.ts'
import { filePolicy } from './file-policy.ts'
import { firstLast } from './first-last.ts'

/** What newer operations on a file do to older ones, by the policy that `files` names. */
export const file: StrategyFactory = (settings) => {
  switch (settings.files) {
    case 'one-view':
    case 'latest-change':
    case 'overwrite':
    case 'supersede-reads':
      return filePolicy(settings.files)
    case 'first-last':
      return firstLast(settings)
    case 'current-view':
      return new CurrentView()
    case 'none':
      return null
  }
}
