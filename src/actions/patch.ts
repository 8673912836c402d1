import type { FilePatch } from '../core/words/action.ts'
import { parseSectionedPatch } from './patch-sectioned.ts'
import { parseUnifiedDiff } from './patch-unified.ts'

/**
 * Reads a patch: `*** Begin Patch` sections or a unified diff. Never throws; returns the files and hunks that could be
 * read, and none for text that is not a patch.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  return isSectioned(text) ? parseSectionedPatch(text) : parseUnifiedDiff(text)
}

/** True if the text is a patch. */
export function looksLikePatch(text: string): boolean {
  return isSectioned(text) || unifiedStart.test(text)
}

const sectionedStart = /^[ \t]*\*\*\* Begin Patch\s*$|^\*\*\* (Add|Update|Delete) File: /m
const unifiedStart = /^(diff --git |--- \S.*\n\+\+\+ \S)/m

/** Either format may quote the other, so the one that starts first is used. */
function isSectioned(text: string): boolean {
  const sectioned = text.search(sectionedStart)
  if (sectioned === -1) return false
  const unified = text.search(unifiedStart)
  return unified === -1 || sectioned < unified
}
