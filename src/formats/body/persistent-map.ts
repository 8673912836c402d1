/**
 * A map that is never changed: `set` gives a new one, which shares nearly everything with the old one. A reader can so
 * keep what it knew after each message and go on from any of them, at a cost that does not grow with the messages.
 */
export interface PersistentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): PersistentMap<Value>
}

interface Leaf<Value> {
  readonly kind: 'leaf'
  readonly hash: number
  /** More than one only where different keys have the same hash. */
  readonly entries: readonly { readonly key: string; readonly value: Value }[]
}

interface Branch<Value> {
  readonly kind: 'branch'
  readonly children: readonly (Trie<Value> | undefined)[]
}

type Trie<Value> = Leaf<Value> | Branch<Value>

const bitsPerLevel = 3
const fanOut = 1 << bitsPerLevel

/** A map with nothing in it. */
export function emptyMap<Value>(): PersistentMap<Value> {
  return new TrieMap<Value>(undefined)
}

class TrieMap<Value> implements PersistentMap<Value> {
  readonly #root: Trie<Value> | undefined

  constructor(root: Trie<Value> | undefined) {
    this.#root = root
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key)
    let node = this.#root
    for (let level = 0; node?.kind === 'branch'; level++) node = node.children[slotOf(hash, level)]
    return node?.entries.find((entry) => entry.key === key)?.value
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const leaf: Leaf<Value> = { kind: 'leaf', hash: hashOf(key), entries: [{ key, value }] }
    return new TrieMap(insert(this.#root, leaf, 0))
  }
}

/** The trie with a leaf of one entry put in. */
function insert<Value>(
  node: Trie<Value> | undefined,
  leaf: Leaf<Value>,
  level: number,
): Trie<Value> {
  if (node === undefined) return leaf
  if (node.kind === 'leaf' && node.hash === leaf.hash) {
    const others = node.entries.filter((entry) => entry.key !== leaf.entries[0]?.key)
    return { kind: 'leaf', hash: leaf.hash, entries: [...others, ...leaf.entries] }
  }
  const children: (Trie<Value> | undefined)[] =
    node.kind === 'branch' ? node.children.slice() : new Array(fanOut).fill(undefined)
  if (node.kind === 'leaf') children[slotOf(node.hash, level)] = node
  const slot = slotOf(leaf.hash, level)
  children[slot] = insert(children[slot], leaf, level + 1)
  return { kind: 'branch', children }
}

function slotOf(hash: number, level: number): number {
  return (hash >>> (level * bitsPerLevel)) & (fanOut - 1)
}

/** FNV-1a, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
