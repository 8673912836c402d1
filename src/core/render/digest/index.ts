/** Shortens tool output to the part the agent is likely to use, with a hint how to restore the rest. */
export { digest, digestKindOf, usualDigest } from './digest.ts'
export type { Digest, DigestKind, DigestLimits, DigestSource } from './digest-types.ts'
export { type FoldOptions, foldStructure } from './fold-structure.ts'
export { digestRepeat, type EarlierResult } from './repeat.ts'
export { type UsualLimitOptions, usualLimits } from './usual-limits.ts'
