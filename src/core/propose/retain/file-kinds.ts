/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Longer words are split, so that encoded data in a message takes no longer than other text. */
const longestWord = 200
const shortestWord = 3

/**
 * Every file name in a text, without its folder, as often as it occurs. Words consist of `[\w@.-]`; only words with a dot
 * are checked.
 */
export function fileNamesIn(text: string): readonly string[] {
  const names: string[] = []
  let end = 0
  for (let stop = text.indexOf('.'); stop !== -1; stop = text.indexOf('.', end)) {
    let start = stop
    while (start > end && isPart(text.charCodeAt(start - 1))) start--
    start += Math.floor((stop - start) / longestWord) * longestWord
    const limit = Math.min(text.length, start + longestWord)
    end = stop + 1
    while (end < limit && isPart(text.charCodeAt(end))) end++
    if (end - start >= shortestWord) addName(text.slice(start, end), names)
  }
  return names
}

function addName(word: string, names: string[]): void {
  const name = word.replace(/[.-]{1,9}$/, '')
  if (/[^.]\.[A-Za-z]\w{0,9}$/.test(name)) names.push(name)
}

function isPart(code: number): boolean {
  const letter = code | 0x20
  if ((letter >= 0x61 && letter <= 0x7a) || code === 0x5f || code === 0x40) return true
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e
}

export function isTest(path: string): boolean {
  return /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i.test(path)
}

export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$/i.test(path)
}
