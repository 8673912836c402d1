/**
 * The lines that an item shows, by identity, in order. A tool's output has one number for its first line; only lines that
 * were combined from several items have a number and an origin each.
 */
export interface ShownLines {
  readonly ids: readonly number[]
  /** Index of the item that first showed the line at a position. */
  itemAt(position: number): number
  has(id: number): boolean
  /** Whether the line is shown under this number; null in the input of a change. */
  shows(id: number, number: number | null): boolean
  numberAt(position: number): number | null
}

/** Consecutive lines as a tool showed them; `first` is the number of the first. */
export function linesAsShown(
  ids: readonly number[],
  first: number | null,
  item: number,
): ShownLines {
  return new Lines(ids, first, item)
}

/** Some of the lines of one item, each with its number. */
export function linesOfItem(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  item: number,
): ShownLines {
  return new Lines(ids, numbers, item)
}

/** Lines of several items, each with its number and its origin. */
export function linesTogether(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  items: readonly number[],
): ShownLines {
  return new Lines(ids, numbers, items)
}

class Lines implements ShownLines {
  readonly ids: readonly number[]
  /** The number of the first line when they are consecutive; null when they have no numbers. */
  readonly #first: number | null
  /** One for each line when they are not consecutive. */
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
    this.#positions ??= new Map(this.ids.map((each, position) => [each, position]))
    return this.#positions.get(id) ?? -1
  }
}
