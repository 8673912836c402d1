/** An entry of a Pi session, with the message that it became and, for a compaction, where its view starts. */
export interface PiEntry {
  readonly parent: PiEntry | undefined
  /** Position of its message; for a compaction that of the summary. */
  readonly position: number | undefined
  readonly compaction?: { readonly firstKept: PiEntry | undefined }
}

/**
 * Positions of the messages that Pi shows when it stands at this entry, ascending: all on the way to it, or from the
 * last compaction on the way its summary, what it kept, and what followed.
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

/** Positions of the messages from the first kept entry up to the last before a compaction, ascending. */
export function keptBy(
  last: PiEntry | undefined,
  firstKept: PiEntry | undefined,
): readonly number[] {
  const kept: number[] = []
  for (let entry = last; entry !== undefined; entry = entry.parent) {
    // Summaries of earlier compactions are not shown again.
    if (entry.position !== undefined && entry.compaction === undefined) kept.push(entry.position)
    if (entry === firstKept) return kept.reverse()
  }
  return []
}
