/** The text without these characters at its end. A pattern such as `/\/+$/` would start again at each of them. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
