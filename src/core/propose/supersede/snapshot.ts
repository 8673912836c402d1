import { inputFields } from '../../words/call-key.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { newestByKey } from './newest-by-key.ts'
import { isOpen } from './outcome.ts'

const strategy = 'pruneSnapshots'
const snapshotTool = /(?:^|__|[.:/])snapshot$/i
const fileKeys = ['path', 'filepath', 'file', 'filename', 'uri']

/** Of the snapshots of a file, from a tool or as markers between messages, the newest stays. */
export const snapshot: StrategyFactory = (settings) => {
  if (!settings.pruneSnapshots) return null
  const ofTools = newestByKey({ reason: 'snapshot', strategy, keyOf: snapshotKey })
  const markers = new Map<string, readonly Item[]>()
  return {
    ...ofTools,
    items: ['marker'],
    *message(message, view) {
      for (const item of message.items) {
        if (item.kind === 'marker' && item.marker === 'snapshot') yield* take(item, markers, view)
      }
    },
  }
}

function* take(newer: Item, markers: Map<string, readonly Item[]>, view: View): Proposals {
  const file = fileOf(newer.text)
  const earlier = markers.get(file) ?? []
  for (const older of earlier) {
    if (older.turn >= newer.turn || !isOpen(older, view)) continue
    yield {
      kind: 'show',
      item: older,
      rendition: { how: 'superseded', text: null },
      reason: 'snapshot',
      strategy,
      by: newer,
    }
  }
  markers.set(file, [...earlier.filter((older) => older.turn >= newer.turn), newer])
}

function snapshotKey({ call }: Operation): string | null {
  const isSnapshot = call.tool.length >= 'snapshot'.length && snapshotTool.test(call.tool)
  return isSnapshot ? fileOf(call.text) : null
}

/** The file that a snapshot is of; those that name none are of the whole working tree. */
function fileOf(text: string): string {
  const fields = inputFields(text)
  const named = fileKeys.map((key) => fields?.get(key)).find((value) => typeof value === 'string')
  return typeof named === 'string' ? named.replaceAll('\\', '/').replace(/^\.\//, '') : ''
}
