/** The candidate most similar to a word; null when none is similar enough. */
export function nearest(
  word: string,
  candidates: readonly string[],
  { closely = false }: { readonly closely?: boolean } = {},
): string | null {
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = changesBetween(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return least <= (closely ? 2 : Math.max(2, word.length / 2)) ? best : null
}

/** Insertions, deletions and replacements of one character that turn one word into the other. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= b.length; column += 1) {
      const replace = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
