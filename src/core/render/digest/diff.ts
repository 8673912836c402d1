import { shortLine } from './clean-lines.ts'
import { compose } from './compose.ts'
import type { OutputKind } from './output.ts'
import { moreThan, type Output } from './output.ts'
import { type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

const header =
  /^\s{0,4}(?:diff --git |--- |\+\+\+ |@@ |rename |new file|deleted file|Binary files|commit [0-9a-f]{7,}|\*\*\* )/
const statLine = /^\s+\S.*\|\s+(?:\d+|Bin)\b|^\s*\d+ files? changed/
const generated =
  /(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|\.min\.\w+|\.snap|\.map)\b/

/** A diff: files, hunk headers and changed lines before context lines. */
export const diff: OutputKind = {
  kind: 'diff',
  bestFit: 0.88,
  fits(output) {
    if (!moreThan(0, output, /^\s{0,4}(?:diff --git |@@ -\d)/)) return 0
    return moreThan(0.5, output, /^\s{0,4}(?:[-+ ]|@@|diff |index )/) ? 0.88 : 0.4
  },
  digest(output, limits) {
    return compose(changedLines(output), { limits, output, marksCuts: true })
  },
}

/** Later edits copy changed lines, but never those of generated files. */
const changedLines = ({ lines }: Output): readonly Piece[] => {
  let isGenerated = false
  let sinceHeader = 0
  return lines.map((line, at) => {
    if (/^\s{0,4}diff --git /.test(line)) isGenerated = generated.test(line)
    sinceHeader = header.test(line) ? 0 : sinceHeader + 1
    const text = shortLine(line.trimEnd())
    return {
      text,
      first: at,
      last: at,
      worth: worthOf(line, at, { isGenerated, sinceHeader }),
    }
  })
}

interface Place {
  readonly isGenerated: boolean
  readonly sinceHeader: number
}

function worthOf(
  line: string,
  at: number,
  { isGenerated, sinceHeader }: Place,
): Worth | WorthByNames {
  if (header.test(line) || statLine.test(line)) return isGenerated ? worth.frame : worth.must
  if (isGenerated) return worth.noise
  if (/^\s{0,4}index [0-9a-f]+\.\./.test(line)) return worth.noise
  if (at < 8) return worth.frame
  if (!/^\s{0,2}[-+]/.test(line)) return sinceHeader > 40 ? worth.noise : worth.little
  if (line.trim().length <= 3) return worth.little
  return sinceHeader <= 12 ? worth.naming : worth.plain
}
