import type { FilePatch, LineRange } from '../../words/action.ts'
import type { Operation } from '../../words/operation.ts'

/** Lines from 1, both ends included; Infinity is the end of the file, wherever that is. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * What an operation does to one file. `write` says what the whole file is; `edit` changes it or makes an unknown change;
 * `delete` ends it.
 */
export interface FileTouch {
  readonly path: string
  readonly kind: 'read' | 'write' | 'edit' | 'delete'
  /** Lines that it shows for certain; null when none are certain. */
  readonly covers: Span | null
  /** Lines that a later read must show before this can go. */
  readonly needs: Span
}

export interface FileTouches {
  readonly touches: readonly FileTouch[]
  /** True when call and result are about these files and nothing else, so that the whole of it can be replaced. */
  readonly isAll: boolean
}

export const wholeFile: Span = { start: 1, end: Number.POSITIVE_INFINITY }

export function change(path: string, kind: 'write' | 'edit' | 'delete'): FileTouch {
  return { path, kind, covers: kind === 'write' ? wholeFile : null, needs: wholeFile }
}

export function patchTouches(file: FilePatch): readonly FileTouch[] {
  switch (file.op) {
    case 'add':
      return [change(file.path, 'write')]
    case 'delete':
      return [change(file.path, 'delete')]
    case 'update':
      return file.movedTo === null || file.movedTo === file.path
        ? [change(file.path, 'edit')]
        : [change(file.path, 'delete'), change(file.movedTo, 'edit')]
  }
}

/** Some agents stop at this many lines without a word. */
const silentLimit = 2000

/** The lines that a read shows; to the end of the file where it can only have stopped there. */
export function spanShown({ reading }: Operation, asked: LineRange | null): Span | null {
  if (reading === null) return null
  const { lines, truncated } = reading
  if (lines === null) return truncated ? null : spanAsked(asked)
  const last = lines.first + lines.lines.length - 1
  const end = asked?.end ?? null
  const isCut = truncated || (end === null && lines.lines.length >= silentLimit)
  const reachesEnd = !isCut && (end === null || last < end)
  return { start: lines.first, end: reachesEnd ? Number.POSITIVE_INFINITY : last }
}

/** The lines that a read showed, as far as that is known, and else those that it was asked for. */
export function spanNeeded({ reading }: Operation, asked: LineRange | null): Span {
  const lines = reading?.lines ?? null
  if (lines === null) return spanAsked(asked)
  return { start: lines.first, end: lines.first + Math.max(0, lines.lines.length - 1) }
}

export function spanAsked(asked: LineRange | null): Span {
  if (asked === null) return wholeFile
  return { start: asked.start, end: asked.end ?? Number.POSITIVE_INFINITY }
}

export function isCovered(needs: Span, covers: Span | null): boolean {
  return covers !== null && covers.start <= needs.start && needs.end <= covers.end
}
