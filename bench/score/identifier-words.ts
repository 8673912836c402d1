const leastCharacters = 8

/** Words that could name something: of some length, and with something in them that prose has not. */
export function identifiersIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}_./-]{8,}/gu)) {
    const name = word.replace(/^[./-]+|[./-]+$/g, '')
    if (name.length >= leastCharacters && /[\d_/.]|[\p{Ll}]\p{Lu}/u.test(name)) found.add(name)
  }
  return found
}
