/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Each name of a file in a text, without its folder, as often as it stands there. */
export function* fileNamesIn(text: string): Generator<string> {
  // Bounded, so that encoded data in a message costs no more than other text.
  for (const word of text.match(/[\w@.-]{3,200}/g) ?? []) {
    if (!word.includes('.')) continue
    const name = word.replace(/[.-]{1,9}$/, '')
    if (/[^.]\.[A-Za-z]\w{0,9}$/.test(name)) yield name
  }
}

export function isTest(path: string): boolean {
  return /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i.test(path)
}

export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$/i.test(path)
}
