/** One word of a sentence with the text that stands between it and the word before. */
export interface Word {
  readonly text: string
  /** Lower case, with straight apostrophes. */
  readonly lower: string
  /** Spaces and punctuation before the word. */
  readonly gap: string
  readonly start: number
  readonly end: number
}

/** A sentence as words, and what stands after the last of them. */
export interface Words {
  readonly words: readonly Word[]
  readonly tail: string
}

const wordPattern =
  /[\p{L}\p{N}$@#_](?:(?:[\p{L}\p{N}\p{M}_$'’+#%/@:-]|\.(?!\.))*[\p{L}\p{N}\p{M}_+#%])?/gu

/** Splits at spaces and punctuation; `C++`, `v1.2`, `a/b`, `don't` and `U.S` stay one word. */
export function readWords(text: string): Words {
  const words: Word[] = []
  let last = 0
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0]
    words.push({
      text: word,
      lower: word.toLowerCase().replaceAll('’', "'"),
      gap: text.slice(last, match.index),
      start: match.index,
      end: match.index + word.length,
    })
    last = match.index + word.length
  }
  return { words, tail: text.slice(last) }
}
