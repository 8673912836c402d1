/** What enters the page of a command's, a search's or a page's output: as much as the agent will use, and how to get the rest. */
export { digest, digestKindOf, usualDigest } from './digest.ts'
export { type FoldOptions, foldStructure } from './fold-structure.ts'
export { digestRepeat, type EarlierResult } from './repeat.ts'
export type { Digest, DigestKind, DigestLimits, DigestSource } from './source.ts'
export { type UsualLimitOptions, usualLimits } from './usual-limits.ts'
