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
export interface Branches {
  /** The step at a position (from 0) of a branch. */
  step(branch: number, position: number): BranchStep | undefined
  lengthOf(branch: number): number
  /** The anchor after the message with this hash that follows `anchor`, if there is one. */
  next(anchor: Anchor, messageHash: string): Anchor | undefined
  /** Puts a step after an anchor: on its branch when it is the branch's end, else on a new branch. */
  extend(anchor: Anchor, step: NewStep): BranchStep
  /** How many leading messages two histories have in common. */
  commonLength(a: Anchor, b: Anchor): number
  readonly count: number
}

export function createBranches(): Branches {
  const branches: Branch[] = [{ parent: null, shared: 0, own: [], forks: new Map() }]

  const at = (branch: number): Branch => branches[branch] as Branch
  const lengthOf = (branch: number): number => at(branch).shared + at(branch).own.length

  /** The branch that has the last message before the anchor as its own. */
  function ownerOf({ branch, length }: Anchor): number {
    let owner = branch
    for (;;) {
      const { parent, shared } = at(owner)
      if (parent === null || length > shared) return owner
      owner = parent
    }
  }

  function fork(anchor: Anchor, messageHash: string): number {
    const branch = branches.length
    const parent = ownerOf(anchor)
    const { forks } = at(parent)
    const here = forks.get(anchor.length) ?? new Map<string, number>()
    forks.set(anchor.length, here.set(messageHash, branch))
    branches.push({ parent, shared: anchor.length, own: [], forks: new Map() })
    all.count = branches.length
    return branch
  }

  /** From a branch up to the trunk, each with how much of it the history uses. */
  function lineage(anchor: Anchor): Anchor[] {
    const line: Anchor[] = []
    let { branch, length } = anchor
    for (;;) {
      line.push({ branch, length })
      const { parent, shared } = at(branch)
      if (parent === null) return line
      length = Math.min(length, shared)
      branch = parent
    }
  }

  const all: Branches & { count: number } = {
    count: branches.length,
    lengthOf,
    step(branch, position) {
      let { parent, shared, own } = at(branch)
      while (parent !== null && position < shared) ({ parent, shared, own } = at(parent))
      return own[position - shared]
    },
    next(anchor, messageHash) {
      const owner = ownerOf(anchor)
      const { own, shared, forks } = at(owner)
      const length = anchor.length + 1
      if (own[anchor.length - shared]?.message.hash === messageHash)
        return { branch: owner, length }
      const branch = forks.get(anchor.length)?.get(messageHash)
      return branch === undefined ? undefined : { branch, length }
    },
    extend(anchor, { message, turns, occurrence }) {
      const isEnd = anchor.length === lengthOf(anchor.branch)
      const branch = isEnd ? anchor.branch : fork(anchor, message.hash)
      const step = { branch, length: anchor.length + 1, message, turns, occurrence }
      at(branch).own.push(step)
      return step
    },
    commonLength(a, b) {
      if (a.branch === b.branch) return Math.min(a.length, b.length)
      const lengths = new Map(lineage(a).map(({ branch, length }) => [branch, length]))
      for (const { branch, length } of lineage(b)) {
        const other = lengths.get(branch)
        if (other !== undefined) return Math.min(length, other)
      }
      return 0
    },
  }
  return all
}
