/**
 * Where the rest of a line went when a change replaced a part of it: the changed line has an identity of its own, and
 * what the change itself shows is only what it put in.
 */
export interface Rests {
  keep(old: number, line: number): void
  /** The lines that have what was left of one. */
  of(id: number): readonly number[]
}

const nothing: readonly number[] = []

export function createRests(): Rests {
  const byLine = new Map<number, readonly number[]>()
  return {
    keep(old, line) {
      // Only ever to younger lines, so that whoever follows them comes to an end.
      if (line > old) byLine.set(old, [...(byLine.get(old) ?? nothing), line])
    },
    of: (id) => byLine.get(id) ?? nothing,
  }
}
