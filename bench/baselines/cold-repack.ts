import type { Policy } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'
import { createIdleTime } from './idle-time.ts'
import { resultsIn, type StandIn, showWith } from './stand-in.ts'

interface ColdRepackOptions {
  /** The cache counts as cold after more than so long without a request. */
  readonly idleSeconds: number
  /** How many of the newest messages stay as they are. */
  readonly keepMessages: number
  /** Results that are longer are cut. */
  readonly largeCharacters: number
  readonly headLines: number
  readonly tailLines: number
}

/**
 * Changes the history only when the cache is cold, as lean-ctx does if asked to: all old results are cut to their
 * first and last lines at once, and stay so. It is an approximation. lean-ctx waits for twice the lifetime, at least
 * 600 s, keeps 8 to 23 messages, replaces file reads by a note, and once it has repacked, cuts 16 more messages at a
 * time on a warm cache too. Like lean-ctx, it keeps the originals and names them.
 */
export function coldRepackWith(options: ColdRepackOptions): Policy {
  const { idleSeconds, keepMessages, largeCharacters, headLines, tailLines } = options
  return {
    name: 'cold-repack',
    source: 'after lean-ctx 3.12, cold_prefix.rs and history_prune.rs, an approximation',
    parameters: `after more than ${idleSeconds} s without a request (lean-ctx: 600 s), results over ${largeCharacters} characters before the newest ${keepMessages} messages keep ${headLines} + ${tailLines} lines`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      const idleTime = createIdleTime()
      return ({ at, view }) => {
        if (idleTime(at) > idleSeconds * 1_000) {
          const newest = new Set(messagesIn(view).slice(-keepMessages))
          for (const result of resultsIn(view)) {
            const { i, message } = result.item
            if (newest.has(message) || standIns.has(i)) continue
            const standIn = repacked(result, options)
            if (standIn !== null) standIns.set(i, standIn)
          }
        }
        return showWith(view, standIns)
      }
    },
  }
}

function messagesIn(view: readonly Rendition[]): readonly number[] {
  return [...new Set(view.map(({ item }) => item.message))]
}

/** null where the cut would not make it shorter. */
function repacked({ item, text }: Rendition, options: ColdRepackOptions): StandIn | null {
  const { largeCharacters, headLines, tailLines } = options
  const lines = text.replace(/\r?\n$/, '').split('\n')
  const left = lines.length - headLines - tailLines
  if (text.length <= largeCharacters || left <= 0) return null
  const handle = `result-${item.i}`
  const cut = [
    ...lines.slice(0, headLines),
    `[...${left} lines pruned · full at ${handle}...]`,
    ...lines.slice(-tailLines),
  ].join('\n')
  return cut.length < text.length ? { how: 'truncated', handle, text: cut } : null
}

export const coldRepack: Policy = coldRepackWith({
  idleSeconds: 300,
  keepMessages: 8,
  largeCharacters: 200,
  headLines: 3,
  tailLines: 2,
})
