import type {
  FileGlimpse,
  FileLines,
  Injected,
  InjectedKind,
  ResultReading,
} from '../../core/words/reading.ts'

export type { FileGlimpse, FileLines, Injected, InjectedKind, ResultReading }

export const noInjections: readonly Injected[] = []

/** A result from which one frame has been taken off. */
export interface Unframed {
  readonly body: string
  readonly injected: readonly Injected[]
  readonly exitCode?: number | null
  readonly truncated?: boolean
}

/** What a read says. A session keeps the readings of all its reads, so their text is put together only when asked for. */
export class FileReading implements ResultReading {
  readonly lines: FileLines
  readonly injected: readonly Injected[]
  readonly exitCode: null = null
  readonly truncated: boolean

  constructor(lines: FileLines, injected: readonly Injected[], truncated: boolean) {
    this.lines = lines
    this.injected = injected
    this.truncated = truncated
  }

  get body(): string {
    return this.lines.lines.join('\n')
  }
}

export function fileReading(
  shown: FileLines,
  injected: readonly Injected[],
  options: { readonly truncated: boolean },
): FileReading {
  return new FileReading(shown, injected, options.truncated)
}

/** The same reading with something injected before and after what it has. */
export function withInjected(
  reading: ResultReading,
  before: readonly Injected[],
  after: readonly Injected[],
): ResultReading {
  if (before.length === 0 && after.length === 0) return reading
  const injected = joined(joined(before, reading.injected), after)
  return reading instanceof FileReading
    ? new FileReading(reading.lines, injected, reading.truncated)
    : { ...reading, injected }
}

/** One list after the other. Most results have nothing injected, and need no list for that. */
export function joined(one: readonly Injected[], other: readonly Injected[]): readonly Injected[] {
  if (other.length === 0) return one
  return one.length === 0 ? other : [...one, ...other]
}

/** The non-blank ones of the texts, as injections of one kind. */
export function injections(kind: InjectedKind, ...texts: readonly string[]): readonly Injected[] {
  if (texts.length === 1 && texts[0] === '') return noInjections
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind, text: text.trim() }))
}

/** Most tools leave the mark out that some files begin with; it is no part of the first line. */
export function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

const byteOrderMark = 0xfeff
