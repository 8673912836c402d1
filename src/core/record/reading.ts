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
}
