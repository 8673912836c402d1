import type { Piece } from './piece.ts'

const placed = /^(\s{0,8}(?:[A-Za-z]:)?[^\s:()]{1,300})(?:\((\d+,\d+)\)|:(\d+(?::\d+)?))(:? \S.*)$/

/** The number of places that are listed for one message; the others are counted. */
const mostPlaces = 60

/**
 * Merges neighbouring diagnostics with the same message for different places in one file: `a.ts(8,2)(27,2): error …`.
 */
export function mergePlaces(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = []
  let at = 0
  while (at < pieces.length) {
    const piece = pieces[at] as Piece
    const place = readPlace(piece.text)
    const places = place === null ? [] : [place.at]
    let end = at + 1
    for (; place !== null && end < pieces.length; end++) {
      const next = readPlace((pieces[end] as Piece).text)
      if (next === null || next.path !== place.path || next.message !== place.message) break
      places.push(next.at)
    }
    const { last } = pieces[end - 1] as Piece
    merged.push(
      place === null || end === at + 1
        ? piece
        : { ...piece, last, text: textOf(place, [...new Set(places)]) },
    )
    at = end
  }
  return merged
}

interface Place {
  readonly path: string
  readonly at: string
  readonly message: string
}

function readPlace(line: string): Place | null {
  const found = line.length > 1000 ? null : placed.exec(line)
  if (found === null) return null
  const [, path = '', inBrackets, afterColon = '', message = ''] = found
  return { path, at: inBrackets === undefined ? `:${afterColon}` : `(${inBrackets})`, message }
}

function textOf({ path, message }: Place, places: readonly string[]): string {
  const [first = ''] = places
  const listed = places.slice(0, mostPlaces)
  const all = first.startsWith(':')
    ? `:${listed.map((place) => place.slice(1)).join(',')}`
    : listed.join('')
  const more = places.length > listed.length ? `(+${places.length - listed.length})` : ''
  return `${path}${all}${more}${message}`
}
