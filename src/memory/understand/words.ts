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

/** What may stand in a word, from where one may begin; a word ends with the last character that may be its last. */
const runPattern = /[\p{L}\p{N}$@#_](?:[\p{L}\p{N}\p{M}_$'’+#%/@:-]|\.(?!\.))*/gu
const wordStart = /[\p{L}\p{N}$@#_]/u
const wordEnd = /[\p{L}\p{N}\p{M}_+#%]/u

interface Place {
  readonly start: number
  readonly end: number
}

/** The words of a run of word characters, which is looked at once from its end and once from its start. */
function placesIn(run: string, from: number): readonly Place[] {
  const characters = [...run]
  let last = characters.length - 1
  while (last > 0 && !wordEnd.test(characters[last] as string)) last--
  const places: Place[] = []
  let at = from
  characters.forEach((character, index) => {
    const end = at + character.length
    // Behind the last end of a word, each beginning of one stands alone.
    if (index === last) places.push({ start: from, end })
    else if (index > last && wordStart.test(character)) places.push({ start: at, end })
    at = end
  })
  return places
}

/** Splits at spaces and punctuation; `C++`, `v1.2`, `a/b`, `don't` and `U.S` stay one word. */
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
