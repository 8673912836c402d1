/** One piece of a prompt. Equal pieces have the same id. */
export interface PromptPiece {
  readonly id: string
  readonly tokens: number
}

/** A prefix that the provider has cached. */
export interface CachedPrefix {
  /** Number of pieces. */
  readonly depth: number
  readonly estimatedTokens: number
  /** The provider's count, once it is known. */
  realTokens: number | null
  usedAt: number
}

/** The cached prefixes of earlier requests. */
export interface CachedPrefixes {
  /** Every cached prefix of a request, expired or not, shortest first. */
  along(pieces: readonly PromptPiece[]): readonly CachedPrefix[]
  /** Adds the prefixes of a request at these depths, used now. */
  keep(pieces: readonly PromptPiece[], depths: readonly number[], now: number): void
  /** Forgets prefixes that were last used before a time. */
  forgetBefore(time: number): void
}

interface Node {
  readonly next: Map<string, Node>
  prefix: CachedPrefix | null
  /** When a request last passed through this node. No node below was used later. */
  touchedAt: number
}

export function createCachedPrefixes(): CachedPrefixes {
  const root = createNode(0)
  let forgottenBefore = Number.NEGATIVE_INFINITY
  const isKept = (prefix: CachedPrefix | null): prefix is CachedPrefix =>
    prefix !== null && prefix.usedAt >= forgottenBefore
  return {
    along(pieces) {
      const found: CachedPrefix[] = []
      let node: Node | undefined = root
      for (let depth = 0; node !== undefined; depth++) {
        if (isKept(node.prefix)) found.push(node.prefix)
        const piece: PromptPiece | undefined = pieces[depth]
        node = piece === undefined ? undefined : node.next.get(piece.id)
      }
      return found
    },
    keep(pieces, depths, now) {
      const wanted = new Set(depths)
      let node = root
      let estimatedTokens = 0
      for (let depth = 0; depth <= pieces.length; depth++) {
        node.touchedAt = now
        if (wanted.has(depth)) {
          node.prefix ??= { depth, estimatedTokens, realTokens: null, usedAt: now }
          node.prefix.usedAt = now
        }
        const piece = pieces[depth]
        if (piece === undefined) break
        estimatedTokens += piece.tokens
        node = step(node, piece.id, now)
      }
    },
    forgetBefore(time) {
      forgottenBefore = Math.max(forgottenBefore, time)
    },
  }

  function step(node: Node, id: string, now: number): Node {
    const known = node.next.get(id)
    if (known !== undefined) return known
    // Where a history branches off, delete forgotten branches to free memory.
    for (const [other, { touchedAt }] of node.next) {
      if (touchedAt < forgottenBefore) node.next.delete(other)
    }
    const created = createNode(now)
    node.next.set(id, created)
    return created
  }
}

function createNode(touchedAt: number): Node {
  return { next: new Map(), prefix: null, touchedAt }
}
