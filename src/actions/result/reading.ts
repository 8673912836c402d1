import type { FileLines, Injected, InjectedKind, ResultReading } from '../../core/words/reading.ts'

export type { FileLines, Injected, InjectedKind, ResultReading }

export const noInjections: readonly Injected[] = []

/** A result without one of its frames. */
export interface Unframed {
  readonly body: string
  readonly injected: readonly Injected[]
  readonly exitCode?: number | null
  readonly truncated?: boolean
}

export function fileReading(
  lines: FileLines,
  injected: readonly Injected[],
  { truncated }: { readonly truncated: boolean },
): ResultReading {
  return { body: lines.lines.join('\n'), lines, injected, exitCode: null, truncated }
}

/** The same reading with more injected texts before and after. */
export function withInjected(
  reading: ResultReading,
  before: readonly Injected[],
  after: readonly Injected[],
): ResultReading {
  if (before.length === 0 && after.length === 0) return reading
  return { ...reading, injected: [...before, ...reading.injected, ...after] }
}

/** The non-blank texts, as injections of one kind. */
export function injections(kind: InjectedKind, ...texts: readonly string[]): readonly Injected[] {
  if (texts.length === 1 && texts[0] === '') return noInjections
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind, text: text.trim() }))
}

/** Most tools omit the byte order mark, so it is not part of the first line. */
export function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

const byteOrderMark = 0xfeff
