import type { PatchHunk } from './action.ts'

export type InjectedKind = 'system-reminder' | 'diagnostics' | 'footer' | 'header'

/** Text that the agent put around or into what the tool gave. */
export interface Injected {
  readonly kind: InjectedKind
  readonly text: string
}

/** Lines of a file as a result shows them, without their prefixes. */
export interface FileLines {
  /** Number of the first of them in the file, from 1. */
  readonly first: number
  readonly lines: readonly string[]
  /** How many lines the whole file has, as its agent counts them, where the result says so. */
  readonly total?: number | undefined
}

/** A file that a formatter would rewrite. */
export interface FormatFault {
  /** As the formatter spells it. */
  readonly path: string
  /** What it would change, where it shows all of it. */
  readonly hunks: readonly PatchHunk[] | null
}

/** What a formatter or linter said of files. */
export interface FormatReport {
  /** The files that it rewrote, as it spells them; null when it does not name them all. */
  readonly rewritten: readonly string[] | null
  /** The files that are still at fault. */
  readonly faults: readonly FormatFault[]
  /** True when no other file is. */
  readonly complete: boolean
}

/** What a result says, apart from its frame. */
export interface ResultReading {
  /** The tool's own output: file text without line numbers, command output without header. */
  readonly body: string
  /**
   * The part of a file that the result shows, or null when it shows none, or not certainly. A file that ends with a
   * line break may have an empty last line here, as its agent shows it.
   */
  readonly lines: FileLines | null
  readonly injected: readonly Injected[]
  readonly exitCode: number | null
  /** True when the tool gave less than it was asked for. */
  readonly truncated: boolean
  /** True when the agent took blanks off both ends of the output, so that its first and last lines may have lost some. */
  readonly trimmed?: true
  /** What a formatter says in the output of a command. */
  readonly formatting?: FormatReport
}
