/**
 * Splits a command line of an agent's own tools into words, as a shell would. null if it has an operator outside quotes,
 * because then it is a shell command.
 */
export function commandWords(line: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? ''
    if (char === "'") {
      const end = line.indexOf("'", index + 1)
      word = (word ?? '') + line.slice(index + 1, end === -1 ? undefined : end)
      index = end === -1 ? line.length : end
    } else if (char === '"') {
      const [text, end] = doubleQuoted(line, index + 1)
      word = (word ?? '') + text
      index = end
    } else if (char === '\\') {
      word = (word ?? '') + (line[index + 1] ?? '')
      index += 1
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else if (/[|&;<>]/.test(char)) {
      return null
    } else {
      word = (word ?? '') + char
    }
  }
  if (word !== null) words.push(word)
  return words
}

function doubleQuoted(line: string, start: number): readonly [string, number] {
  let text = ''
  let index = start
  for (; index < line.length && line[index] !== '"'; index += 1) {
    const next = line[index + 1] ?? ''
    if (line[index] === '\\' && /["\\$`]/.test(next)) index += 1
    text += line[index] ?? ''
  }
  return [text, index]
}
