import type { FileLines, Injected, ResultReading } from '../core/record/reading.ts'

/** What a read says. A session keeps the readings of all its reads, so their text is put together only when asked for. */
export class FileReading implements ResultReading {
  readonly lines: FileLines
  readonly injected: readonly Injected[]
  readonly exitCode: number | null
  readonly truncated: boolean

  constructor({ injected, exitCode, truncated }: Omit<ResultReading, 'lines'>, lines: FileLines) {
    this.lines = lines
    this.injected = injected
    this.exitCode = exitCode
    this.truncated = truncated
  }

  get body(): string {
    return this.lines.lines.join('\n')
  }
}

/**
 * Lines of files as they were last shown, so that a line which is shown again is the same string: it is kept once, and
 * found equal at a glance.
 */
export interface SharedLines {
  share(path: string, shown: FileLines): FileLines
}

export function createSharedLines(): SharedLines {
  const linesByPath = new Map<string, string[]>()
  return {
    share(path, shown) {
      const known = linesByPath.get(path) ?? []
      linesByPath.set(path, known)
      const { first, total } = shown
      // The end of a long file is not worth a list that begins with nothing.
      if (first < 1 || first > known.length + 1) return shown
      const lines = shown.lines.map((line, index) => {
        const before = known[first - 1 + index]
        if (before === line) return before
        known[first - 1 + index] = line
        return line
      })
      return total === undefined ? { first, lines } : { first, lines, total }
    },
  }
}
