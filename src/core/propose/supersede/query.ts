import type { Operation } from '../../words/operation.ts'
import type { StrategyFactory } from '../strategy.ts'
import { newestByKey } from './newest-by-key.ts'

/** Of the same command that only reads state, in the same directory, the newest stays. */
export const query: StrategyFactory = (settings) =>
  settings.stateQuerySupersede
    ? newestByKey({
        reason: 'query',
        strategy: 'stateQuerySupersede',
        actions: ['shell'],
        keyOf: stateQueryKey,
      })
    : null

function stateQueryKey({ action }: Operation): string | null {
  if (action.kind !== 'shell' || action.query === null || action.continues) return null
  const { workdir, query: command } = action
  // A text that is known already is found faster than one that is put together; no other key looks like it.
  if ((workdir === null || workdir === '') && !command.includes('\n')) return command
  return `${workdir ?? ''}\n${command}`
}
