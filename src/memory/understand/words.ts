/** One word of a sentence, with its position. */
export interface Word {
  readonly text: string
  /** Lower case, with straight apostrophes. */
  readonly lower: string
  /** Spaces and punctuation before the word. */
  readonly gap: string
  readonly start: number
  readonly end: number
}

/** The words of a sentence, and the text after the last word. */
export interface Words {
  readonly words: readonly Word[]
  readonly tail: string
}

/** A run of characters that may occur in a word. The word ends at the last character that matches `wordEnd`. */
const runPattern =
  /\d[\d.,]*\s[%€£](?![\p{L}\p{N}])|[\p{L}\p{N}$@#_](?:[\p{L}\p{N}\p{M}_$'’+#%/@:-]|\.(?!\.))*/gu
const wordStart = /[\p{L}\p{N}$@#_]/u
const wordEnd = /[\p{L}\p{N}\p{M}_+#%€£]/u

interface Place {
  readonly start: number
  readonly end: number
}

/** The words in a run of word characters. */
function placesIn(run: string, from: number): readonly Place[] {
  const characters = [...run]
  let last = characters.length - 1
  while (last > 0 && !wordEnd.test(characters[last] as string)) last--
  const places: Place[] = []
  let at = from
  characters.forEach((character, index) => {
    const end = at + character.length
    // After the last word end, every word start is a word of one character.
    if (index === last) places.push({ start: from, end })
    else if (index > last && wordStart.test(character)) places.push({ start: at, end })
    at = end
  })
  return places
}

/** Splits at spaces and punctuation; `C++`, `v1.2`, `a/b`, `don't`, `U.S` and `85 %` stay one word. */
export function readWords(text: string): Words {
  const words: Word[] = []
  let last = 0
  for (const run of text.matchAll(runPattern)) {
    for (const { start, end } of placesIn(run[0], run.index)) {
      const word = text.slice(start, end)
      const lower = word.toLowerCase().replaceAll('’', "'")
      words.push({ text: word, lower, gap: text.slice(last, start), start, end })
      last = end
    }
  }
  return { words, tail: text.slice(last) }
}
