import { longHandle } from '../../core/record/handles.ts'

/** Stands before a handle in everything that `/v1/compress` leaves out. */
export const hashPrefix = 'hash='

/** With the tool that LiteLLM offers the model for hashes. */
export const retrieveHint: string = `headroom_retrieve ${hashPrefix}`

const written = new RegExp(`${hashPrefix}([0-9a-f]{${longHandle}})(?![0-9a-f])`, 'g')

export function isHash(text: string): boolean {
  return new RegExp(`^[0-9a-f]{${longHandle}}$`).test(text)
}

/** The hashes that an answer has and its request has not. Text of a tool may look like one. */
export function addedHashes(original: string, shown: string): readonly string[] {
  if (shown === original) return []
  const before = hashesIn(original)
  return [...hashesIn(shown)].filter((each) => !before.has(each))
}

function hashesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(written)].map(([, hash = '']) => hash))
}
