import type { PatchHunk } from './action.ts'

export type InjectedKind = 'system-reminder' | 'diagnostics' | 'footer' | 'header'

/** Text that the agent added around or inside the tool's output. */
export interface Injected {
  readonly kind: InjectedKind
  readonly text: string
}

/** Lines of a file as a result shows them, without their prefixes. */
export interface FileLines {
  /** Line number of the first line, from 1. */
  readonly first: number
  readonly lines: readonly string[]
  /** The file's number of lines as the agent counts them, if the result states it. */
  readonly total?: number | undefined
}

/** A file that a formatter would rewrite. */
export interface FormatFault {
  /** As written by the formatter. */
  readonly path: string
  /** What it would change; null unless it shows everything. */
  readonly hunks: readonly PatchHunk[] | null
}

/** What a formatter or linter reported about files. */
export interface FormatReport {
  /** The files that it rewrote, as it wrote their paths; null unless it names them all. */
  readonly rewritten: readonly string[] | null
  /** The files that still need formatting. */
  readonly faults: readonly FormatFault[]
  /** True when no other file needs formatting. */
  readonly complete: boolean
}

/** A result, with the tool's output separated from what the agent added. */
export interface ResultReading {
  /** The tool's own output: file text without line numbers, command output without header. */
  readonly body: string
  /**
   * The part of a file that the result certainly shows, or null. A file that ends with a line break may have an empty
   * last line here, if the agent shows it.
   */
  readonly lines: FileLines | null
  readonly injected: readonly Injected[]
  readonly exitCode: number | null
  /** True when the tool returned less than was requested. */
  readonly truncated: boolean
  /** True when the agent trimmed the output, so the first and last lines may lack whitespace. */
  readonly trimmed?: true
  /** True when the text says that the call failed, whatever the result's status is. */
  readonly failed?: true
  /** A formatter's report found in the output of a command. */
  readonly formatting?: FormatReport
}
