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
  return new LinesInOrder(ids, first, item)
}

/** Some of the lines that an item brought into the page, each with its number. */
export function linesOfItem(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  item: number,
): ShownLines {
  return new LinesTogether(ids, numbers, item)
}

/** Lines that were put together, each with its number and its origin. */
export function linesTogether(
  ids: readonly number[],
  numbers: readonly (number | null)[],
  items: readonly number[],
): ShownLines {
  return new LinesTogether(ids, numbers, items)
}

/** Classes, because there is one for each read and each change, and most are never asked for a line. */
class LinesInOrder implements ShownLines {
  readonly ids: readonly number[]
  readonly #first: number | null
  readonly #item: number
  #known: ReadonlySet<number> | null = null

  constructor(ids: readonly number[], first: number | null, item: number) {
    this.ids = ids
    this.#first = first
    this.#item = item
  }

  itemAt(): number {
    return this.#item
  }

  has(id: number): boolean {
    this.#known ??= new Set(this.ids)
    return this.#known.has(id)
  }

  shows(id: number, number: number | null): boolean {
    if (this.#first === null || number === null) return this.#first === number && this.has(id)
    return this.ids[number - this.#first] === id
  }

  numberAt(position: number): number | null {
    return this.#first === null ? null : this.#first + position
  }
}

/** So few are looked through; a map of them would take more room than they do. */
const fewLines = 32

class LinesTogether implements ShownLines {
  readonly ids: readonly number[]
  readonly #numbers: readonly (number | null)[]
  /** One for each line, or one for all. */
  readonly #items: readonly number[] | number
  #positions: ReadonlyMap<number, number> | null = null

  constructor(
    ids: readonly number[],
    numbers: readonly (number | null)[],
    items: readonly number[] | number,
  ) {
    this.ids = ids
    this.#numbers = numbers
    this.#items = items
  }

  itemAt(position: number): number {
    return typeof this.#items === 'number' ? this.#items : (this.#items[position] ?? 0)
  }

  has(id: number): boolean {
    return this.#positionOf(id) !== -1
  }

  shows(id: number, number: number | null): boolean {
    const position = this.#positionOf(id)
    return position !== -1 && this.numberAt(position) === number
  }

  numberAt(position: number): number | null {
    return this.#numbers[position] ?? null
  }

  #positionOf(id: number): number {
    if (this.ids.length <= fewLines) return this.ids.lastIndexOf(id)
    this.#positions ??= new Map(this.ids.map((each, position) => [each, position]))
    return this.#positions.get(id) ?? -1
  }
}
