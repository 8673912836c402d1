import type { LineRange } from '../../core/words/action.ts'

/** Lines of a file in an output. */
export interface FileText {
  readonly kind: 'file'
  readonly path: string
  /** null if it is unknown which lines. */
  readonly lines: LineRange | null
  readonly numbered: boolean
  /** False if the lines were altered or have numbers that are not the file's line numbers. */
  readonly faithful: boolean
  /** How many changes the command had made before it read the file. */
  readonly changesBefore: number
}

/** A piece of a command's output. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | FileText
  /** The name of a file that `mktemp` made. */
  | { readonly kind: 'temporary' }
  /** Unknown output, possibly empty. */
  | { readonly kind: 'other' }

/** A command's output, in order. A silent command has `[]`. */
export type Output = readonly Piece[]

export const OTHER: Output = [{ kind: 'other' }]
export const SILENT: Output = []

/** Concatenates outputs and merges consecutive unknown pieces. */
export function joinOutputs(outputs: readonly Output[]): Output {
  const joined: Piece[] = []
  for (const output of outputs) {
    for (const piece of output) {
      if (piece.kind !== 'other' || joined.at(-1)?.kind !== 'other') joined.push(piece)
    }
  }
  return joined
}

/** The printed text, or null if a part is unknown. */
export function knownText(output: Output): string | null {
  const texts: string[] = []
  for (const piece of output) {
    if (piece.kind !== 'text') return null
    texts.push(piece.text)
  }
  return texts.join('')
}

/** The file that the output shows whole and unaltered, or null. */
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

/** Keeps an unknown subset of lines: `grep`, `tail -20`, `sort`. */
export function someLines(output: Output): Output {
  return mapFiles(output, (file) => ({ ...file, lines: null }))
}

/** Marks the lines as altered. */
export function reworded(output: Output): Output {
  return mapFiles(output, (file) => ({ ...file, faithful: false }))
}

/** Adds line numbers, which are the file's own only if the first number is right. */
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
