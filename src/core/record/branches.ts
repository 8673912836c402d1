import type { Message } from '../words/item.ts'

/** The end of a history in a record: the first `length` messages of a branch, the shared part included. */
export interface Anchor {
  readonly branch: number
  readonly length: number
}

/** A history that shares its first `shared` messages with its parent. */
interface Branch {
  /** The branch that has the last of the shared messages as its own. */
  readonly parent: number | null
  readonly shared: number
  readonly own: BranchStep[]
  /** Branches that leave this one, by the length at which they do and by the hash of their first message. */
  readonly forks: Map<number, Map<string, number>>
}

/** A message on its branch, and the anchor of the history that ends with it. */
export interface BranchStep extends Anchor {
  readonly message: Message
  /** Turns completed up to here: how many assistant messages there were. */
  readonly turns: number
  /** How often the same message occurs earlier in this history. */
  readonly occurrence: number
}

type NewStep = Omit<BranchStep, keyof Anchor>

/** Histories with common beginnings. Each message is stored once. */
export class Branches {
  readonly #branches: Branch[] = [{ parent: null, shared: 0, own: [], forks: new Map() }]

  get count(): number {
    return this.#branches.length
  }

  lengthOf(branch: number): number {
    const { shared, own } = this.#at(branch)
    return shared + own.length
  }

  /** The step at a position (from 0) of a branch. */
  step(branch: number, position: number): BranchStep | undefined {
    let { parent, shared, own } = this.#at(branch)
    while (parent !== null && position < shared) ({ parent, shared, own } = this.#at(parent))
    return own[position - shared]
  }

  /** The anchor after the message with this hash that follows `anchor`, if there is one. */
  next(anchor: Anchor, messageHash: string): Anchor | undefined {
    const owner = this.#ownerOf(anchor)
    const { own, shared, forks } = this.#at(owner)
    const length = anchor.length + 1
    if (own[anchor.length - shared]?.message.hash === messageHash) return { branch: owner, length }
    const branch = forks.get(anchor.length)?.get(messageHash)
    return branch === undefined ? undefined : { branch, length }
  }

  /** Puts a step after an anchor: on its branch when it is the branch's end, else on a new branch. */
  extend(anchor: Anchor, { message, turns, occurrence }: NewStep): BranchStep {
    const isEnd = anchor.length === this.lengthOf(anchor.branch)
    const branch = isEnd ? anchor.branch : this.#fork(anchor, message.hash)
    const step = { branch, length: anchor.length + 1, message, turns, occurrence }
    this.#at(branch).own.push(step)
    return step
  }

  /** How many leading messages two histories have in common. */
  commonLength(a: Anchor, b: Anchor): number {
    if (a.branch === b.branch) return Math.min(a.length, b.length)
    const lengths = new Map(this.#lineage(a).map(({ branch, length }) => [branch, length]))
    for (const { branch, length } of this.#lineage(b)) {
      const other = lengths.get(branch)
      if (other !== undefined) return Math.min(length, other)
    }
    return 0
  }

  #at(branch: number): Branch {
    return this.#branches[branch] as Branch
  }

  /** The branch that has the last message before the anchor as its own. */
  #ownerOf({ branch, length }: Anchor): number {
    let owner = branch
    for (;;) {
      const { parent, shared } = this.#at(owner)
      if (parent === null || length > shared) return owner
      owner = parent
    }
  }

  #fork(anchor: Anchor, messageHash: string): number {
    const branch = this.#branches.length
    const parent = this.#ownerOf(anchor)
    const { forks } = this.#at(parent)
    const here = forks.get(anchor.length) ?? new Map<string, number>()
    forks.set(anchor.length, here.set(messageHash, branch))
    this.#branches.push({ parent, shared: anchor.length, own: [], forks: new Map() })
    return branch
  }

  /** From a branch up to the trunk, each with how much of it the history uses. */
  #lineage(anchor: Anchor): readonly Anchor[] {
    const line: Anchor[] = []
    let { branch, length } = anchor
    for (;;) {
      line.push({ branch, length })
      const { parent, shared } = this.#at(branch)
      if (parent === null) return line
      length = Math.min(length, shared)
      branch = parent
    }
  }
}
