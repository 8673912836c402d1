import type { Place, Write } from './dialect.ts'

/** Elements with more blocks than this are rare, and nothing is kept for them. */
const mostShared = 64

/**
 * The places of items that stay where they are, by the index of their block. Every element of a conversation has its
 * items at the same few, so that a long one needs no more of them than a short one.
 */
export function sharedPlaces(write: (index: number) => Write): (index: number) => Place {
  const places: Place[] = []
  const placeOf = (index: number): Place => ({ write: write(index), remove: null, element: 0 })
  return (index) => {
    if (index >= mostShared) return placeOf(index)
    while (places.length <= index) places.push(placeOf(places.length))
    return places[index]!
  }
}
