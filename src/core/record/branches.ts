import type { Message } from './item.ts'

/** The end of a history in a record: the first `length` messages of a branch, the shared part included. */
export interface Anchor {
  readonly branch: number
  readonly length: number
}

/** A history that shares its first `shared` messages with its parent and goes on by itself. */
interface Branch {
  readonly parent: number | null
  readonly shared: number
  readonly own: BranchStep[]
}

export interface BranchStep {
  readonly message: Message
  /** Hash of the history up to and including this message. */
  readonly history: string
  /** Turns completed up to here: how many assistant messages there were. */
  readonly turns: number
}

/** Histories with common beginnings, each message kept once. */
export interface Branches {
  /** The step at a position (from 0) of a branch. */
  step(branch: number, position: number): BranchStep | undefined
  lengthOf(branch: number): number
  /** Puts steps after an anchor: on its branch when it is the branch's end, else on a new branch. */
  extend(anchor: Anchor, steps: readonly BranchStep[]): Anchor
  /** How many leading messages two histories have in common. */
  commonLength(a: Anchor, b: Anchor): number
  readonly count: number
}

export function createBranches(): Branches {
  const branches: Branch[] = [{ parent: null, shared: 0, own: [] }]

  const at = (branch: number): Branch => branches[branch] as Branch
  const lengthOf = (branch: number): number => at(branch).shared + at(branch).own.length

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

  return {
    get count(): number {
      return branches.length
    },
    lengthOf,
    step(branch, position) {
      let { parent, shared, own } = at(branch)
      while (parent !== null && position < shared) ({ parent, shared, own } = at(parent))
      return own[position - shared]
    },
    extend(anchor, steps) {
      if (steps.length === 0) return anchor
      let branch = anchor.branch
      if (anchor.length !== lengthOf(branch)) {
        branch = branches.length
        branches.push({ parent: anchor.branch, shared: anchor.length, own: [] })
      }
      const { own } = at(branch)
      for (const step of steps) own.push(step)
      return { branch, length: anchor.length + steps.length }
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
}
