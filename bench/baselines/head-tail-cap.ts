import type { Policy } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'
import { resultsIn, type StandIn, showWith } from './stand-in.ts'

interface CapOptions {
  readonly name: string
  /** Results that are longer are cut. */
  readonly largeCharacters: number
  /** The length after the cut, half from each end. */
  readonly capCharacters: number
  /** How many requests show a result in full before it is cut; 0 cuts it before it is first sent. */
  readonly fullRequests: number
}

/** Cuts the middle out of large results. A handle restores the whole result. */
export function headTailCap(options: CapOptions): Policy {
  const { name, largeCharacters, capCharacters, fullRequests } = options
  const when = fullRequests === 0 ? 'before they are first sent' : `after ${fullRequests} requests`
  return {
    name,
    source: 'a plain rule, for comparison',
    parameters: `results over ${largeCharacters} characters keep ${capCharacters}, half of it from each end, ${when}`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      const firstShown = new Map<number, number>()
      return ({ n, view }) => {
        for (const result of resultsIn(view)) {
          const { i } = result.item
          if (!firstShown.has(i)) firstShown.set(i, n)
          const shown = n - (firstShown.get(i) ?? n)
          if (shown >= fullRequests && result.text.length > largeCharacters && !standIns.has(i))
            standIns.set(i, cut(result, capCharacters))
        }
        return showWith(view, standIns)
      }
    },
  }
}

function cut({ item, text }: Rendition, capCharacters: number): StandIn {
  const half = capCharacters >> 1
  const handle = `result-${item.i}`
  const left = text.length - 2 * half
  return {
    how: 'truncated',
    handle,
    text: `${text.slice(0, half)}\n[${left} characters left out · ${handle}]\n${text.slice(-half)}`,
  }
}

const cap = { largeCharacters: 8_000, capCharacters: 2_400 }

export const admissionCap: Policy = headTailCap({ ...cap, name: 'admission-cap', fullRequests: 0 })
export const tailCap1: Policy = headTailCap({ ...cap, name: 'tail-cap-1', fullRequests: 1 })
export const tailCap8: Policy = headTailCap({ ...cap, name: 'tail-cap-8', fullRequests: 8 })
