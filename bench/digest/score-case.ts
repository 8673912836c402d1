import type { Decisive, DigestCase } from './digest-case.ts'

/** Of a longer line, the beginning is enough. */
const longestNeedle = 160

/** What one way of shortening kept of one output. */
export interface CaseScore {
  readonly output: DigestCase
  readonly keptChars: number
  readonly lost: readonly Decisive[]
}

export function scoreCase(output: DigestCase, shown: string): CaseScore {
  const lines = output.text.split('\n')
  const joined = normal(shown, '\n')
  const shownLines = joined.split('\n')
  const isKept = ({ line, facts }: Decisive): boolean => {
    const needle = normal(lines[line] ?? '', ' ').slice(0, longestNeedle)
    // A line beyond the limit is only comparable by its facts where it has some.
    const byText = facts === undefined || (lines[line]?.length ?? 0) <= longestNeedle
    if (byText && joined.includes(needle)) return true
    return (
      facts !== undefined &&
      shownLines.some((text) => facts.every((fact) => text.includes(normal(fact, ' '))))
    )
  }
  const lost = output.decisive.filter((decisive) => !isKept(decisive))
  return { output, keptChars: Math.min(shown.length, output.text.length), lost }
}

/** Whitespace inside lines as one space, without indentation. */
function normal(text: string, lineEnd: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .join(lineEnd)
}

export function headAndTail(text: string, chars: number): string {
  if (text.length <= chars) return text
  const half = Math.floor(chars / 2)
  return `${text.slice(0, half)}\n…\n${text.slice(text.length - half)}`
}

export function plainCap(text: string, chars: number): string {
  return text.slice(0, chars)
}
