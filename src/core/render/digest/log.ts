import { shortLine } from './clean-lines.ts'
import { compose } from './compose.ts'
import type { OutputKind } from './output.ts'
import { moreThan, type Output, runs } from './output.ts'
import { type Piece, type Worth, type WorthByNames, worth } from './piece.ts'
import { countShape } from './plain.ts'

const stamped =
  /^(?:\S{1,40}\s+){0,3}\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\w{3} +\d+ \d\d:\d\d:\d\d|\d{10,13}\b)|^\{"(?:time|timestamp|ts|level|@timestamp)"/
const severe =
  /\b(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|error|fatal|panic)\b|"level":"?(?:error|fatal|50|60)/
const printers = /^(?:journalctl|dmesg|kubectl|docker|workmux|tmux)$/
const notable = /\b(?:WARN|WARNING|warn|warning)\b|"level":"?(?:warn|40)/

/** A program's log: errors, the last lines, and the first of repeated lines with their count. */
export const log: OutputKind = {
  kind: 'log',
  bestFit: 0.68,
  fits(output) {
    if (moreThan(0.6, output, stamped)) return 0.68
    return runs(output, printers) && moreThan(0.3, output, stamped) ? 0.6 : 0
  },
  digest(output, limits) {
    return compose(foldRepeats(output), { limits, output, marksCuts: true })
  },
}

const foldRepeats = (output: Output): readonly Piece[] => {
  const pieces: Piece[] = []
  const shapes = new Map<string, number>()
  const { lines } = output
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as string
    const end = endOfRun(lines, at)
    const seen = countShape(withoutStamp(line), shapes)
    const again = end - at
    const text = shortLine(line.trimEnd(), 400) + (again === 0 ? '' : ` [× ${again + 1}]`)
    pieces.push({ text, first: at, last: end, worth: worthOf(line, at, { seen, output }) })
    at = end + 1
  }
  return pieces
}

/** The last of the following lines that differ only in their time. */
function endOfRun(lines: readonly string[], at: number): number {
  const message = withoutStamp(lines[at] as string)
  let end = at
  while (
    end + 1 < lines.length &&
    message !== '' &&
    withoutStamp(lines[end + 1] as string) === message
  )
    end++
  return end
}

function withoutStamp(line: string): string {
  return line.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|\d\d:\d\d:\d\d(?:[.,]\d+)?/g, '').trim()
}

function worthOf(
  line: string,
  at: number,
  { seen, output }: { readonly seen: number; readonly output: Output },
): Worth | WorthByNames {
  if (line.trim() === '') return worth.noise
  if (output.reportsFailure(line) || severe.test(line)) return seen <= 3 ? worth.must : worth.plain
  if (notable.test(line)) return seen <= 3 ? worth.informative : worth.little
  if (at < 8 || at > output.lines.length - 16) return worth.frame
  if (seen > 3) return worth.noise
  return worth.plain
}
