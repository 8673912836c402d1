/** True when a name fits a pattern, ignoring case. `*` in the pattern matches any characters. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*')
  const plain = name.toLowerCase()
  const last = parts.pop()
  if (last === undefined) return plain === first
  if (!plain.startsWith(first) || !plain.endsWith(last)) return false
  // Matching each part at its first occurrence is enough.
  let at = first.length
  for (const part of parts) {
    const found = plain.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= plain.length - last.length
}

/** True when the list contains the tool; see `fitsPattern`. */
export function namesTool(names: readonly string[], tool: string): boolean {
  return names.some((name) => fitsPattern(name, tool))
}
