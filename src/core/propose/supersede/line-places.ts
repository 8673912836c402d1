import { type Holder, showsSame } from './file-holder.ts'

/** Lines of a read that one holder shows, under consecutive numbers or without numbers, or that none shows. */
export interface Stretch {
  /** The position of its first line in the read, and the position after its last. */
  readonly start: number
  end: number
  /** The newest holder that shows the lines; null when none does. */
  readonly holder: Holder | null
  /** The number of the first line there; null without numbers. */
  readonly number: number | null
}

interface LinePlace {
  readonly holder: Holder | null
  readonly number: number | null
}

const nowhere: LinePlace = { holder: null, number: null }

/** Where the lines of a read are shown in other items. Keeps the newest place of each line, because reads are frequent. */
export class LinePlaces {
  readonly #tracked = new Set<Holder>()
  /** By line, whose ids count up from 0: the newest holder, and the line's number there. */
  readonly #holders: (Holder | null)[] = []
  readonly #numbers: (number | null)[] = []

  /** Adds a holder, which is newer than all that were added before. */
  add(holder: Holder): void {
    const { lines } = holder
    this.#tracked.add(holder)
    if (!showsWholeText(holder)) return
    for (const [at, id] of lines.ids.entries()) {
      while (this.#holders.length < id) {
        this.#holders.push(null)
        this.#numbers.push(null)
      }
      this.#holders[id] = holder
      this.#numbers[id] = lines.numberAt(at)
    }
  }

  /** Removes a holder and its lines. Other holders of the same lines must be added again. */
  remove(holder: Holder): void {
    this.#tracked.delete(holder)
    for (const id of holder.lines.ids) if (this.#holders[id] === holder) this.#holders[id] = null
  }

  /** Stops tracking a holder. Its lines are then not found in older holders either. */
  forget(holder: Holder): void {
    this.#tracked.delete(holder)
  }

  /** Searches the lines of a read in holders of the same file from earlier turns that show whole text. */
  find(read: Holder, holders: readonly Holder[]): readonly Stretch[] {
    return stretchesOf(this.#newestPlaces(read) ?? searchPlaces(read, holders))
  }

  /** null when the newest place of a line is not of an earlier turn. */
  #newestPlaces({ path, lines, operation }: Holder): readonly LinePlace[] | null {
    const places: LinePlace[] = []
    for (const id of lines.ids) {
      const holder = this.#holders[id] ?? null
      // A copied file shares lines with its source, which is another path.
      const isFound = holder !== null && this.#tracked.has(holder) && holder.path === path
      if (isFound && holder.operation.turn >= operation.turn) return null
      places.push(isFound ? { holder, number: this.#numbers[id] ?? null } : nowhere)
    }
    return places
  }
}

/** From the newest holder back, leaving out those of the same turn. */
function searchPlaces({ lines, operation }: Holder, holders: readonly Holder[]): LinePlace[] {
  const places = lines.ids.map(() => nowhere)
  const positions = new Map(lines.ids.map((id, at) => [id, at]))
  for (const holder of holders.toReversed()) {
    if (holder.operation.turn >= operation.turn || !showsWholeText(holder)) continue
    for (let there = holder.lines.ids.length - 1; there >= 0; there--) {
      const position = positions.get(holder.lines.ids[there] as number)
      if (position === undefined || places[position] !== nowhere) continue
      places[position] = { holder, number: holder.lines.numberAt(there) }
    }
  }
  return places
}

function stretchesOf(places: readonly LinePlace[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  let last: Stretch | undefined
  for (const [at, { holder, number }] of places.entries()) {
    const next = last?.number == null ? null : last.number + at - last.start
    if (last?.holder === holder && number === next) last.end = at + 1
    else {
      last = { start: at, end: at + 1, holder, number }
      stretches.push(last)
    }
  }
  return stretches
}

/** The newest earlier read that shows all lines of a read under the same numbers; null when there is none. */
export function earlierReadOf(
  read: Holder,
  stretches: readonly Stretch[],
  holders: readonly Holder[],
): Holder | null {
  // No holder newer than the oldest one found shows all lines, because that one is the newest for some line.
  const oldest = stretches.reduce(
    (least, { holder }) => Math.min(least, holder?.order ?? 0),
    Infinity,
  )
  const candidates = holders.slice(0, holders.findIndex(({ order }) => order === oldest) + 1)
  const isEarlier = ({ kind, operation }: Holder): boolean =>
    kind === 'read' && operation.turn < read.operation.turn
  return candidates.findLast((holder) => isEarlier(holder) && showsSame(holder, read)) ?? null
}

/** Edits show only fragments of a file. */
function showsWholeText({ kind, operation }: Holder): boolean {
  return kind === 'read' || operation.action.kind === 'write'
}
