import type { MemoryItem, MemoryKind } from '../item.ts'

/** Who or what a claim is about. `unsaid`: an instruction without a subject, which gets the scope of the item it changes. */
export type Owner = 'user' | 'project' | 'unsaid'

/** Something that a sentence states and that the memory can store. */
export interface Claim {
  readonly kind: MemoryKind
  readonly owner: Owner
  /**
   * `state`: it is true. `replace`: it is true now and was not before. `end`: `old` is no longer true. `doubt`: it differs
   * from the target without saying that anything changed, so the user has to decide.
   */
  readonly operation: 'state' | 'replace' | 'end' | 'doubt'
  /** The item that it changes, when it was found in the memory. */
  readonly target?: string
  /** The earlier statement that it changes, which becomes an item now. */
  readonly earlier?: MemoryItem
  readonly category: string
  readonly attribute?: string
  /** What a fact or decision is about, when it is neither the user nor the project as a whole. */
  readonly subject?: string
  readonly value?: string
  /** The value that it replaces, when the sentence names it. */
  readonly old?: string
  /** The claim in words. */
  readonly text: string
  /** The sentence it comes from. */
  readonly quote: string
  readonly confidence: number
  /** When it became true, or stopped being true, when the sentence says so; milliseconds since 1970. */
  readonly since?: number
  /** When it stops being true. */
  readonly until?: number
}

/** A fact that gives a value to a property, in words. */
export function factText(owner: Owner, attribute: string, value: string): string {
  const noun = attribute.replaceAll('_', ' ')
  return owner === 'user' ? `user's ${noun} is ${value}` : `project ${noun}: ${value}`
}
