/** Marks what `palimpsest init` wrote, in formats in which `#` begins a comment. */
const begin =
  '# >>> palimpsest >>> written by `palimpsest init`; `palimpsest init --undo` removes it'
const end = '# <<< palimpsest <<<'

/** A text with a block of our lines at its start or end. */
export function withBlock(
  text: string,
  lines: readonly string[],
  { at }: { readonly at: 'start' | 'end' },
): string {
  const eol = lineEnding(text)
  const block = [begin, ...lines, end].map((line) => `${line}${eol}`).join('')
  if (at === 'start') return `${block}${text}`
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${block}`
}

/** The text without our blocks, whatever became of the lines inside them. */
export function withoutBlocks(text: string): string {
  const lines = text.split(/(?<=\n)/)
  const from = lines.findIndex((line) => line.startsWith('# >>> palimpsest >>>'))
  const to = lines.findIndex((line, at) => at > from && line.startsWith(end))
  if (from === -1 || to === -1) return text
  return withoutBlocks([...lines.slice(0, from), ...lines.slice(to + 1)].join(''))
}

export function lineEnding(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
