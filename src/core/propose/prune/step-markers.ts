import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const stepMarkers: ReadonlySet<string> = new Set(['step-start', 'step-finish'])

/** `pruneStepMarkers`: removes the markers of step starts and ends. */
export const pruneStepMarkers: StrategyFactory = (settings) =>
  settings.pruneStepMarkers
    ? {
        name: 'pruneStepMarkers',
        items: ['marker'],
        *message(message, view) {
          for (const item of message.items) {
            if (item.kind !== 'marker' || !stepMarkers.has(item.marker)) continue
            if (!isUntouched(item, view)) continue
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
