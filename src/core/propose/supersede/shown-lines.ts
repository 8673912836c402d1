/**
 * The lines that an item shows, by identity, in order. What a tool showed is a list of identities with one number for
 * the first of them; only what was put together from several items has a number and an origin for each line.
 */
export interface ShownLines {
  readonly ids: readonly number[]
  /** Index of the item that first brought the line at a position into the page. */
  itemAt(position: number): number
  has(id: number): boolean
  /** Whether the line is shown under this number; null in the input of a change. */
  shows(id: number, number: number | null): boolean
  numberAt(position: number): number | null
}

/** Lines as a tool showed them, the first of them under a number. */
export function linesAsShown(
  ids: readonly number[],
  first: number | null,
  item: number,
): ShownLines {
  return new Lines(ids, first, item)
}

/** Some of the lines that an item brought into the page, each with its number. */
export function linesOfItem(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  item: number,
): ShownLines {
  return new Lines(ids, numbers, item)
}

/** Lines that were put together, each with its number and its origin. */
export function linesTogether(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  items: readonly number[],
): ShownLines {
  return new Lines(ids, numbers, items)
}

/** So few are looked through; a map of them would take more room than they do. */
const fewLines = 32

/** One class for all of them: there is one for each read and each change, and they are asked line by line. */
class Lines implements ShownLines {
  readonly ids: readonly number[]
  /** That of the first, behind which the others follow; null where they have none. */
  readonly #first: number | null
  /** One for each line, where they do not follow each other. */
  readonly #numbers: readonly (number | null)[] | null
  /** One for each line, or one for all. */
  readonly #items: readonly number[] | number
  #positions: ReadonlyMap<number, number> | null = null

  constructor(
    ids: readonly number[],
    numbers: readonly (number | null)[] | number | null,
    items: readonly number[] | number,
  ) {
    const isInOrder = numbers === null || typeof numbers === 'number'
    this.ids = ids
    this.#first = isInOrder ? numbers : null
    this.#numbers = isInOrder ? null : numbers
    this.#items = items
  }

  itemAt(position: number): number {
    return typeof this.#items === 'number' ? this.#items : (this.#items[position] ?? 0)
  }

  has(id: number): boolean {
    return this.#positionOf(id) !== -1
  }

  shows(id: number, number: number | null): boolean {
    if (this.#first !== null) return number !== null && this.ids[number - this.#first] === id
    const position = this.#positionOf(id)
    return position !== -1 && this.numberAt(position) === number
  }

  numberAt(position: number): number | null {
    if (this.#numbers !== null) return this.#numbers[position] ?? null
    return this.#first === null ? null : this.#first + position
  }

  #positionOf(id: number): number {
    if (this.ids.length <= fewLines) return this.ids.lastIndexOf(id)
    this.#positions ??= positionsOf(this.ids)
    return this.#positions.get(id) ?? -1
  }
}

function positionsOf(ids: readonly number[]): ReadonlyMap<number, number> {
  const positions = new Map<number, number>()
  for (let at = 0; at < ids.length; at++) positions.set(ids[at] as number, at)
  return positions
}
