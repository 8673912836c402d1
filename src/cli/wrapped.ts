/** Text as lines that fit the terminal, broken at spaces. Later lines have the indent of the first, and two more. */
export function wrapped(text: string, columns: number, hanging = 2): string[] {
  const room = Math.max(20, Math.min(columns, 100))
  const indent = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = ''
  for (const word of text.trim().split(/ +/)) {
    const begin = lines.length === 0 ? indent : indent + ' '.repeat(hanging)
    const longer = line === '' ? `${begin}${word}` : `${line} ${word}`
    if (line !== '' && longer.length > room) {
      lines.push(line)
      line = `${indent}${' '.repeat(hanging)}${word}`
    } else line = longer
  }
  return [...lines, line]
}
