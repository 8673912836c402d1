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

const bitsPerLevel = 4
const fanOut = 1 << bitsPerLevel

/** A map with nothing in it. */
export function emptyMap<Value>(): PersistentMap<Value> {
  return mapOver<Value>(undefined)
}

function mapOver<Value>(root: Trie<Value> | undefined): PersistentMap<Value> {
  return {
    get: (key) => lookUp(root, key),
    set: (key, value) => mapOver(insert(root, { hash: hashOf(key), key, value, level: 0 })),
  }
}

function lookUp<Value>(root: Trie<Value> | undefined, key: string): Value | undefined {
  const hash = hashOf(key)
  let node = root
  for (let level = 0; node?.kind === 'branch'; level++) node = node.children[slotOf(hash, level)]
  return node?.entries.find((entry) => entry.key === key)?.value
}

interface Insertion<Value> {
  readonly hash: number
  readonly key: string
  readonly value: Value
  readonly level: number
}

function insert<Value>(node: Trie<Value> | undefined, insertion: Insertion<Value>): Trie<Value> {
  const { hash, key, value, level } = insertion
  if (node === undefined) return { kind: 'leaf', hash, entries: [{ key, value }] }
  if (node.kind === 'leaf' && node.hash === hash) {
    const others = node.entries.filter((entry) => entry.key !== key)
    return { kind: 'leaf', hash, entries: [...others, { key, value }] }
  }
  const children: (Trie<Value> | undefined)[] =
    node.kind === 'branch' ? [...node.children] : new Array(fanOut).fill(undefined)
  if (node.kind === 'leaf') children[slotOf(node.hash, level)] = node
  const slot = slotOf(hash, level)
  children[slot] = insert(children[slot], { ...insertion, level: level + 1 })
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
