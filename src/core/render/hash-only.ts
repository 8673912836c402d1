const opening = '[only a hash is kept · sha256 '
const filler = ' xx'

/** What the record has in the place of a secret text. It is as long, unless the text is very short, so that sizes and costs stay about right. */
export function hashOnlyText(sha256: string, length: number): string {
  const line = `${opening}${sha256}]`
  return line.padEnd(length, filler)
}

export function isHashOnly(text: string): boolean {
  return text.startsWith(opening)
}
