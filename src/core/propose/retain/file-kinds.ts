/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Longer words are split, so that encoded data in a message takes no longer than other text. */
const word = /[\w@.-]{3,200}/g

/** Every file name in a text, without its folder, as often as it occurs: a word with a dot before its ending. */
export function fileNamesIn(text: string): readonly string[] {
  return [...text.matchAll(word)]
    .map(([found]) => found.replace(/[.-]{1,9}$/, ''))
    .filter((name) => /[^.]\.[A-Za-z]\w{0,9}$/.test(name))
}

export function isTest(path: string): boolean {
  return /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i.test(path)
}

export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$/i.test(path)
}
