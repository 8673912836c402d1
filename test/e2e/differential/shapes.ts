/** A file of the scenario, with the change that is made to it. */
export interface FileShape {
  /** What is particular about it. */
  readonly name: string
  /** Relative to the project. */
  readonly path: string
  readonly text: string
  /** A text that stands in it once, and what it becomes; null where the file is written whole instead. */
  readonly change: { readonly old: string; readonly new: string } | null
}

const lineCount = 60

function numbered(
  name: string,
  line = (n: number): string => `const ${name}${n} = ${n}`,
): string[] {
  return Array.from({ length: lineCount }, (_, n) => `${line(n + 1)} // one of many of ${name}`)
}

/** A whole line, because patches replace whole lines. */
function shapeOf(shape: Pick<FileShape, 'name' | 'path' | 'text'>): FileShape {
  const old = shape.text.split(/\r?\n/).find((line) => line.includes('33 = 33'))
  const change = old === undefined ? null : { old, new: old.replace('= 33', "= 'changed'") }
  return { ...shape, change }
}

/** Text of more than 2,000 characters, at which several clients cut a line. */
const longLine = `const long = '${'0123456789 and on '.repeat(150)}'`

const newline = shapeOf({
  name: 'ends with a newline',
  path: 'src/newline.js',
  text: `${numbered('newline').join('\n')}\n`,
})

const noNewline = shapeOf({
  name: 'no final newline',
  path: 'src/open.js',
  text: numbered('open').join('\n'),
})

const windows = shapeOf({
  name: 'CRLF',
  path: 'src/windows.js',
  text: `${numbered('windows').join('\r\n')}\r\n`,
})

const marked = shapeOf({
  name: 'byte-order mark',
  path: 'src/marked.js',
  text: `\ufeff${numbered('marked').join('\n')}\n`,
})

const tabs = shapeOf({
  name: 'tabs',
  path: 'src/tabs.js',
  text: `${numbered('tabs', (n) => `\t\tconst tabs${n} = ${n}\t`).join('\n')}\n`,
})

const emptyLine = shapeOf({
  name: 'empty last line',
  path: 'src/gap.js',
  text: `\n${numbered('gap').join('\n')}\n\n\n`,
})

const foreign = shapeOf({
  name: 'non-ASCII text',
  path: 'src/Überblick-日本.js',
  text: `${numbered('wide', (n) => `const wide${n} = ${n} // „größer“ 日本語 ${n} 🎈 é`).join('\n')}\n`,
})

const long = shapeOf({
  name: 'one line over 2,000 characters',
  path: 'src/long.js',
  text: `${[...numbered('short').slice(0, 40), longLine, ...numbered('short').slice(40)].join('\n')}\n`,
})

const empty = shapeOf({
  name: 'zero bytes',
  path: 'src/empty.js',
  text: '',
})

const spaced = shapeOf({
  name: 'a path with spaces',
  path: 'src/two words/my notes.js',
  text: `${numbered('spaced').join('\n')}\n`,
})

export const fileShapes: readonly FileShape[] = [
  newline,
  noNewline,
  windows,
  marked,
  tabs,
  emptyLine,
  foreign,
  long,
  empty,
  spaced,
]
