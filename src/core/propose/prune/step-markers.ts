import type { StrategyFactory } from '../strategy.ts'
import { isOpen } from './open-item.ts'

const stepMarkers: ReadonlySet<string> = new Set(['step-start', 'step-finish'])

/** `pruneStepMarkers`: where a step begins and ends says nothing to the model. */
export const pruneStepMarkers: StrategyFactory = (settings) =>
  settings.pruneStepMarkers
    ? {
        name: 'pruneStepMarkers',
        items: ['marker'],
        *message(message, view) {
          for (const item of message.items) {
            if (item.kind !== 'marker' || !stepMarkers.has(item.marker)) continue
            if (!isOpen(item, view)) continue
            yield {
              kind: 'show',
              item,
              rendition: { how: 'discarded', text: null },
              reason: 'marker',
              strategy: 'pruneStepMarkers',
              by: null,
            }
          }
        },
      }
    : null
