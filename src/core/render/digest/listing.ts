import { compose } from './compose.ts'
import type { OutputKind } from './output.ts'
import { moreThan, type Output, runs } from './output.ts'
import { type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

const listers = /^(?:ls|find|tree|fd|fdfind|eza|exa|du|dir)$/
const pathLine =
  /^(?:[│├└─\s|`+-]*)(?:\.{0,2}\/|[A-Za-z]:\\)?[\w@.+~\-[\]()$]+(?:[/\\][\w@.+~\- [\]()$]+)*[/\\*:@]?\s*$/
const longEntry = /^[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]?\s/
/** Generated, installed and binary files, which are rarely opened by name. */
const aside =
  /(?:^|\/)(?:node_modules|\.git|dist|build|out|target|__pycache__|\.venv|venv|vendor|coverage|\.next|\.cache|site-packages)(?:\/|$)|\.(?:png|jpe?g|gif|svg|ico|woff2?|ttf|map|snap|pyc|lock|min\.js)\s*$/

/** Names of files and folders. Paths are never abbreviated, because later calls copy them. */
export const listing: OutputKind = {
  kind: 'listing',
  bestFit: 0.9,
  fits(output) {
    const { action } = output.source
    if (action?.kind === 'glob') return 0.9
    if (runs(output, listers) || isGitFiles(output)) return areEntries(output, 0.5) ? 0.8 : 0
    return areEntries(output, 0.9) && moreThan(0.7, output, /[/\\]/) ? 0.6 : 0
  },
  digest(output, limits) {
    return compose(entries(output), {
      limits,
      output,
      marksCuts: false,
      namedIn: ({ text }) => text,
      noun: 'entries',
    })
  },
}

function areEntries(output: Output, share: number): boolean {
  return moreThan(share, output, pathLine) || moreThan(share, output, longEntry)
}

function isGitFiles({ programs }: Output): boolean {
  return programs.some(([program, verb]) => program === 'git' && verb === 'ls-files')
}

const entries = (output: Output): readonly Piece[] => {
  const pieces: Piece[] = []
  const { lines } = output
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    const text = shortEntry(line)
    pieces.push({ text, first: at, last: at, worth: worthOf(line, text, at, output) })
  }
  return pieces
}

/** `-rw-r--r-- 1 me staff 4096 Nov 16 04:26 name` reduced to size and name. */
function shortEntry(line: string): string {
  if (!longEntry.test(line)) return line.trimEnd()
  const match =
    /^(\S)\S{9,10}\s+\d+\s+\S+\s+\S+\s+(\d[\d.,]*\S?)\s+(?:\S+\s+\S+\s+\S+|\d{4}-\d\d-\d\d \S+(?: [+-]\d{4})?)\s+(.*)$/.exec(
      line,
    )
  if (match === null) return line.trimEnd()
  const [, type = '', size = '', name = ''] = match
  return type === 'd' ? `${name}/` : `${size} ${name}`
}

function worthOf(line: string, text: string, at: number, output: Output): Worth | WorthByNames {
  if (output.reportsFailure(line)) return worth.must
  if (at < 6 || at > output.lines.length - 4) return worth.frame
  if (aside.test(text)) return worth.little
  if (text.endsWith(':')) return worth.informative
  const depth = text.split('/').length
  return depth <= 4 ? worth.naming : worth.plain
}
