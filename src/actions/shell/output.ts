import type { LineRange } from '../../core/words/action.ts'

/** Lines of a file on their way to the terminal, a pipe or another file. */
export interface FileText {
  readonly kind: 'file'
  readonly path: string
  /** null: some of the file, and which lines is not known. */
  readonly lines: LineRange | null
  readonly numbered: boolean
  /** False once something reworded the lines, or numbered them with numbers that are not the file's. */
  readonly faithful: boolean
  /** How many changes the command had made before it read the file. */
  readonly changesBefore: number
}

/** A piece of what a command prints. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | FileText
  /** The name of a file that `mktemp` made. */
  | { readonly kind: 'temporary' }
  /** Something that only running the command would tell; it may also be nothing. */
  | { readonly kind: 'other' }

/** What a command prints, in order. A silent command prints `[]`. */
export type Output = readonly Piece[]

export const OTHER: Output = [{ kind: 'other' }]
export const SILENT: Output = []

/** One output after the other. What is unknown twice in a row is unknown once. */
export function joinOutputs(outputs: readonly Output[]): Output {
  const joined: Piece[] = []
  for (const output of outputs) {
    for (const piece of output) {
      if (piece.kind !== 'other' || joined.at(-1)?.kind !== 'other') joined.push(piece)
    }
  }
  return joined
}

/** The text that was printed, when all of it is known. */
export function knownText(output: Output): string | null {
  const texts: string[] = []
  for (const piece of output) {
    if (piece.kind !== 'text') return null
    texts.push(piece.text)
  }
  return texts.join('')
}

/** The file whose whole text this is, unaltered; null for anything else. */
export function wholeFile(output: Output): string | null {
  const piece = output[0]
  if (output.length !== 1 || piece?.kind !== 'file') return null
  const { lines, numbered, faithful } = piece
  const whole = lines !== null && lines.start === 1 && lines.end === null
  return whole && faithful && !numbered ? piece.path : null
}

/** Keeps the lines `from` to `to` of a text, as `head`, `tail -n +K` and `sed -n` do. */
export function selectLines(output: Output, from: number, to: number | null): Output {
  return mapFiles(output, (file, alone) => {
    if (!alone || file.lines === null) return { ...file, lines: null }
    const start = file.lines.start + from - 1
    const ends = [file.lines.end, to === null ? null : file.lines.start + to - 1]
    const known = ends.filter((end) => end !== null)
    return { ...file, lines: { start, end: known.length === 0 ? null : Math.min(...known) } }
  })
}

/** Keeps some lines of a text, unknown which: `grep`, `tail -20`, `sort`. */
export function someLines(output: Output): Output {
  return mapFiles(output, (file) => ({ ...file, lines: null }))
}

/** The same lines in another wording. */
export function reworded(output: Output): Output {
  return mapFiles(output, (file) => ({ ...file, faithful: false }))
}

/** Puts numbers before the lines; they name the file's own lines only when the first is the right one. */
export function numberLines(output: Output, firstNumber: number): Output {
  return mapFiles(output, (file, alone) => ({
    ...file,
    numbered: true,
    faithful: file.faithful && alone && !file.numbered && file.lines?.start === firstNumber,
  }))
}

function mapFiles(output: Output, change: (file: FileText, alone: boolean) => FileText): Output {
  const alone = output.length === 1
  return output.map((piece) => (piece.kind === 'file' ? change(piece, alone) : { kind: 'other' }))
}
