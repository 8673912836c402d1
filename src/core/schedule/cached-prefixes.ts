/** One piece of a prompt: what it is, so that equal prefixes are recognised, and how large. */
export interface PromptPiece {
  readonly id: string
  readonly tokens: number
}

/** A prefix that the provider keeps. */
export interface CachedPrefix {
  /** Number of pieces. */
  readonly depth: number
  readonly estimatedTokens: number
  /** As the provider counted it, once that is known. */
  realTokens: number | null
  usedAt: number
}

/** The prefixes of earlier requests, by their pieces. */
export interface CachedPrefixes {
  /** Every prefix of a request that is kept, whether or not it is still alive; the shortest first. */
  along(pieces: readonly PromptPiece[]): readonly CachedPrefix[]
  /** Keeps prefixes of a request, by their depths, as used now. */
  keep(pieces: readonly PromptPiece[], depths: readonly number[], now: number): void
  /** Forgets what was last used before a time. */
  forgetBefore(time: number): void
}

interface Node {
  readonly next: Map<string, Node>
  prefix: CachedPrefix | null
  /** When a request last went through here; nothing behind it was used later. */
  touchedAt: number
}

export function createCachedPrefixes(): CachedPrefixes {
  const root = createNode(0)
  let goneBefore = Number.NEGATIVE_INFINITY
  const isThere = (prefix: CachedPrefix | null): prefix is CachedPrefix =>
    prefix !== null && prefix.usedAt >= goneBefore
  return {
    along(pieces) {
      const found: CachedPrefix[] = []
      let node: Node | undefined = root
      for (let depth = 0; node !== undefined; depth++) {
        if (isThere(node.prefix)) found.push(node.prefix)
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
      goneBefore = Math.max(goneBefore, time)
    },
  }

  function step(node: Node, id: string, now: number): Node {
    const known = node.next.get(id)
    if (known !== undefined) return known
    // Where a history parts from an older one, what can no longer be read of that is let go.
    for (const [other, { touchedAt }] of node.next) {
      if (touchedAt < goneBefore) node.next.delete(other)
    }
    const created = createNode(now)
    node.next.set(id, created)
    return created
  }
}

function createNode(touchedAt: number): Node {
  return { next: new Map(), prefix: null, touchedAt }
}
