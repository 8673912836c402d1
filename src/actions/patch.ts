import type { FilePatch } from '../core/words/action.ts'
import { parseSectionedPatch } from './patch-sectioned.ts'
import { parseUnifiedDiff } from './patch-unified.ts'

/**
 * Reads a patch in either notation: `*** Begin Patch` sections or a unified diff. Never throws: a damaged patch gives
 * the files and hunks that could be read, and text that is not a patch gives none.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  return isSectioned(text) ? parseSectionedPatch(text) : parseUnifiedDiff(text)
}

/** True when the text is a patch and not, say, a command or prose. */
export function looksLikePatch(text: string): boolean {
  return isSectioned(text) || unifiedStart.test(text)
}

const sectionedStart = /^[ \t]*\*\*\* Begin Patch\s*$|^\*\*\* (Add|Update|Delete) File: /m
const unifiedStart = /^(diff --git |--- \S.*\n\+\+\+ \S)/m

/** Either notation may quote the other, so that the first to start decides. */
function isSectioned(text: string): boolean {
  const sectioned = text.search(sectionedStart)
  if (sectioned === -1) return false
  const unified = text.search(unifiedStart)
  return unified === -1 || sectioned < unified
}
