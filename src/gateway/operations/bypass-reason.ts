/** Reasons that name a place or a rule, by their beginnings. */
const families: readonly (readonly [beginning: string, name: string])[] = [
  ['not understood', 'not-understood'],
  ['invalid ', 'invalid-change'],
  ['the provider keeps the history', 'provider-history'],
  ['the body is too large', 'too-large'],
  ['cannot unpack', 'not-unpacked'],
  ['not ', 'not-unpacked'],
  ['internal error', 'internal'],
]

/** A bypass reason as the value of a label: one of a few fixed names, so that requests cannot add more. */
export function bypassReason(reason: string): string {
  const family = families.find(([beginning]) => reason.startsWith(beginning))
  if (family !== undefined) return family[1]
  return /^[a-z][a-z-]{0,39}$/.test(reason) ? reason : 'other'
}
