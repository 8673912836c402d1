import { partitionPoint } from '../../words/partition-point.ts'
import { type Holder, showsSame } from './file-holder.ts'

/** Where the lines of a read are shown in other items. */
export interface LinePlaces {
  /** Adds a holder, which is newer than all that were added before. */
  add(holder: Holder): void
  /** Removes a holder and its lines. Other holders of the same lines must be added again. */
  remove(holder: Holder): void
  /** Stops tracking a holder. Its lines are then not found in older holders either. */
  forget(holder: Holder): void
  /**
   * Searches the lines of a read in holders of the same file from earlier turns that show whole text, and returns how many
   * were not found. The result is valid until the next search.
   */
  find(read: Holder, holders: readonly Holder[]): number
  /**
   * The result consists of stretches of the read: lines found in one holder under consecutive numbers or without numbers,
   * or lines that were not found.
   */
  stretchCount(): number
  /** The position in the read at which a stretch begins; after the last one, the number of lines. */
  startOf(stretch: number): number
  /** Whether its lines were found. */
  isFound(stretch: number): boolean
  /** The newest holder that shows them, its turn, and the number of the first of them there. */
  holderOf(stretch: number): Holder
  turnOf(stretch: number): number
  numberOf(stretch: number): number | null
  /** The newest read that shows all of them under the same numbers, when all were found; null when there is none. */
  showingAll(read: Holder, holders: readonly Holder[]): Holder | null
}

const noHolder = 0
const noNumber = -1

/**
 * Keeps the newest place of each line, because reads are frequent. Line ids count up from 0 and holder orders from 1, so
 * plain arrays are used as indexes.
 */
export function createLinePlaces(): LinePlaces {
  /** By line: the order of the newest holder, and the line's number there. */
  const owners: number[] = []
  const numbers: number[] = []
  /** By a holder's order; the path is null for holders that are no longer tracked. */
  const followed: (Holder | null)[] = [null]
  const paths: (string | null)[] = [null]
  const turns: number[] = [0]
  const lineCounts: number[] = [0]
  /** What was found, by stretch. */
  const starts: number[] = []
  const foundIn: number[] = []
  const foundAs: number[] = []
  let stretches = 0

  function findKept({ path, lines: { ids }, operation: { turn } }: Holder): number {
    const known = owners.length
    let missing = 0
    let lastOwner = -1
    let order = noHolder
    let next = noNumber
    stretches = 0
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number
      const owner = id < known ? (owners[id] as number) : noHolder
      const number = id < known ? (numbers[id] as number) : noNumber
      if (owner !== lastOwner) {
        lastOwner = owner
        // A copied file shares lines with its source, which is another path.
        order = paths[owner] === path ? owner : noHolder
        if (order !== noHolder && (turns[order] as number) >= turn) return -1
        begin(at, order, number)
      } else if (order !== noHolder && number !== next) begin(at, order, number)
      next = number === noNumber ? noNumber : number + 1
      if (order === noHolder) missing++
    }
    starts[stretches] = ids.length
    return missing
  }

  function begin(start: number, order: number, number: number): void {
    starts[stretches] = start
    foundIn[stretches] = order
    foundAs[stretches++] = number
  }

  /** From the newest holder back, leaving out those of the same turn. */
  function search(read: Holder, holders: readonly Holder[]): number {
    const { ids } = read.lines
    const positions = new Map(ids.map((id, at) => [id, at]))
    const orders = ids.map(() => noHolder)
    const shown = ids.map(() => noNumber)
    let missing = ids.length
    for (let at = holders.length - 1; at >= 0 && missing > 0; at--) {
      const holder = holders[at] as Holder
      if (holder.operation.turn >= read.operation.turn || !showsWholeText(holder)) continue
      for (let there = holder.lines.ids.length - 1; there >= 0; there--) {
        const position = positions.get(holder.lines.ids[there] as number)
        if (position === undefined || orders[position] !== noHolder) continue
        orders[position] = holder.order
        shown[position] = holder.lines.numberAt(there) ?? noNumber
        missing--
      }
    }
    stretches = 0
    for (let at = 0; at < ids.length; at++) {
      const [order, number] = [orders[at] as number, shown[at] as number]
      const before = shown[at - 1] ?? noNumber
      const goesOn = number === (before === noNumber ? noNumber : before + 1)
      if (order !== orders[at - 1] || !goesOn) begin(at, order, number)
    }
    starts[stretches] = ids.length
    return missing
  }

  return {
    add(holder) {
      const { order, lines } = holder
      while (followed.length <= order) {
        followed.push(null)
        paths.push(null)
        turns.push(0)
        lineCounts.push(0)
      }
      followed[order] = holder
      paths[order] = holder.path
      turns[order] = holder.operation.turn
      lineCounts[order] = lines.ids.length
      if (!showsWholeText(holder)) return
      for (let at = 0; at < lines.ids.length; at++) {
        const id = lines.ids[at] as number
        while (owners.length <= id) {
          owners.push(noHolder)
          numbers.push(noNumber)
        }
        owners[id] = order
        numbers[id] = lines.numberAt(at) ?? noNumber
      }
    },
    remove({ order, lines }) {
      followed[order] = null
      paths[order] = null
      for (const id of lines.ids) if (owners[id] === order) owners[id] = noHolder
    },
    forget({ order }) {
      followed[order] = null
      paths[order] = null
    },
    find(read, holders) {
      const missing = findKept(read)
      return missing === -1 ? search(read, holders) : missing
    },
    stretchCount: () => stretches,
    startOf: (stretch) => starts[stretch] as number,
    isFound: (stretch) => foundIn[stretch] !== noHolder,
    holderOf: (stretch) => followed[foundIn[stretch] as number] as Holder,
    turnOf: (stretch) => turns[foundIn[stretch] as number] as number,
    numberOf: (stretch) => (foundAs[stretch] === noNumber ? null : (foundAs[stretch] as number)),
    showingAll(read, holders) {
      let oldest = Infinity
      for (let at = 0; at < stretches; at++) oldest = Math.min(oldest, foundIn[at] as number)
      // No holder newer than `oldest` shows all lines, because `oldest` is the newest one for some line.
      for (let at = indexOf(oldest, holders); at >= 0; at--) {
        const holder = holders[at] as Holder
        if ((lineCounts[holder.order] as number) < read.lines.ids.length) continue
        const isEarlier = holder.kind === 'read' && holder.operation.turn < read.operation.turn
        if (isEarlier && showsSame(holder, read)) return holder
      }
      return null
    },
  }
}

/** Edits show only fragments of a file. */
function showsWholeText({ kind, operation }: Holder): boolean {
  return kind === 'read' || operation.action.kind === 'write'
}

function indexOf(order: number, holders: readonly Holder[]): number {
  const index = partitionPoint(holders.length, (at) => holders[at]!.order < order)
  return holders[index]?.order === order ? index : -1
}
