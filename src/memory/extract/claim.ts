import type { MemoryKind } from '../item.ts'

/** Whom a claim is about. `unsaid` is an instruction without a subject: it belongs where the thing it changes is. */
export type Owner = 'user' | 'project' | 'unsaid'

/** Something that a sentence says and that can be remembered. */
export interface Claim {
  readonly kind: MemoryKind
  readonly owner: Owner
  /** `state`: it is so. `replace`: it is so now, and was not before. `end`: `old` holds no more. */
  readonly operation: 'state' | 'replace' | 'end'
  readonly category: string
  readonly attribute?: string
  /** What a fact or decision is about, when it is neither the user nor the project as a whole. */
  readonly subject?: string
  readonly value?: string
  /** The value that it takes the place of, when the sentence names it. */
  readonly old?: string
  /** Too weak to begin with: only counts where something current is about the same attribute. */
  readonly onlyReplaces?: true
  /** The claim in words. */
  readonly text: string
  /** The sentence that it was taken from. */
  readonly quote: string
  readonly confidence: number
  /** Since when it is so, or was no more, when the sentence says it; milliseconds since 1970. */
  readonly since?: number
  /** Until when it will be so. */
  readonly until?: number
}
