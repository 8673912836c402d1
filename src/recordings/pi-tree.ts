/** An entry of a Pi session: the message it became and, for a compaction, the first entry it kept. */
export interface PiEntry {
  readonly parent: PiEntry | undefined
  /** Position of its message; for a compaction that of the summary. */
  readonly position: number | undefined
  readonly compaction?: { readonly firstKept: PiEntry | undefined }
}

/**
 * Positions of the messages in the context at this entry, ascending: all messages on its branch, or since the last
 * compaction its summary, the messages it kept, and the messages after it.
 */
export function viewAt(leaf: PiEntry | undefined): readonly number[] {
  const view: number[] = []
  let entry = leaf
  while (entry !== undefined) {
    if (entry.position !== undefined) view.push(entry.position)
    if (entry.compaction !== undefined) {
      view.push(...keptBy(entry.parent, entry.compaction.firstKept))
      break
    }
    entry = entry.parent
  }
  return view.sort((one, other) => one - other)
}

/** Positions of the messages that a compaction kept, from `firstKept` to `last`, ascending. */
export function keptBy(
  last: PiEntry | undefined,
  firstKept: PiEntry | undefined,
): readonly number[] {
  const kept: number[] = []
  for (let entry = last; entry !== undefined; entry = entry.parent) {
    // Pi does not send summaries of earlier compactions again.
    if (entry.position !== undefined && entry.compaction === undefined) kept.push(entry.position)
    if (entry === firstKept) return kept.reverse()
  }
  return []
}
