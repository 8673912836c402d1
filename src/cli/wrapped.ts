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

/** Lines that fit the terminal; those that fit already stay as they are. */
export function fittedLines(text: string, columns: number): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : wrapped(line, columns)))
}

/** The same for help: sentences that go on over several lines are filled anew, and examples stay as they are. */
export function fittedHelp(text: string, columns: number): string {
  const lines: string[] = []
  let open: string | null = null
  const close = (): void => {
    if (open !== null) lines.push(...wrapped(open, columns, 0))
    open = null
  }
  for (const line of text.split('\n')) {
    const isProse = /^[^\s].* /.test(line) && !line.endsWith(':')
    if (!isProse) {
      close()
      lines.push(...fittedLines(line, columns))
    } else if (open === null || /^(?:Usage|Exit codes):/.test(line)) {
      close()
      open = line
    } else open = `${open} ${line}`
  }
  close()
  return lines.join('\n')
}
