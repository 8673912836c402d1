/** Random choices that are the same in each run. */
export interface Choices {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  pick<Value>(values: readonly Value[]): Value
  /** Letters that no other word of the session has. */
  word(): string
}

export interface InventedFile {
  readonly path: string
  lines: string[]
}

const syllables = 'ba de fi go ku la me ni po ru sa te vi wo xu za'.split(' ')

export function createChoices(random: () => number): Choices {
  let words = 0
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  return {
    below,
    pick,
    word: () => {
      words++
      return `${pick(syllables)}${pick(syllables)}${pick(syllables)}${words.toString(36)}`
    },
  }
}

/** A unique line of code. */
export function inventedLine(choices: Choices, indent = '  '): string {
  const name = `${choices.word()}_${choices.word()}`
  return choices.pick([
    `${indent}const ${name} = load(${choices.below(900)})`,
    `${indent}if (${name} > ${choices.below(900)}) return`,
    `${indent}register('${name}', ${choices.below(900)})`,
  ])
}

/** A file of unique lines between common brackets and blank lines. */
export function inventedFile(choices: Choices): InventedFile {
  const lines: string[] = []
  const functions = 4 + choices.below(8)
  for (let index = 0; index < functions; index++) {
    lines.push(`export function ${choices.word()}_${choices.word()}() {`)
    const size = 4 + choices.below(12)
    for (let line = 0; line < size; line++) lines.push(inventedLine(choices))
    lines.push('}', '')
  }
  return { path: `src/${choices.word()}/${choices.word()}.ts`, lines }
}

export function numbered(lines: readonly string[], first = 1): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n')
}
