import type {
  FileGlimpse,
  FileLines,
  Injected,
  InjectedKind,
  ResultReading,
} from '../../core/record/reading.ts'

export type { FileGlimpse, FileLines, Injected, InjectedKind, ResultReading }

/** A result from which one frame has been taken off. */
export interface Unframed {
  readonly body: string
  readonly injected: readonly Injected[]
  readonly exitCode?: number | null
  readonly truncated?: boolean
}

export function fileReading(
  shown: FileLines,
  injected: readonly Injected[],
  options: { readonly truncated: boolean },
): ResultReading {
  return {
    body: shown.lines.join('\n'),
    lines: shown,
    injected,
    exitCode: null,
    truncated: options.truncated,
  }
}

/** The non-blank ones of the texts, as injections of one kind. */
export function injections(kind: InjectedKind, ...texts: readonly string[]): readonly Injected[] {
  return texts.filter((text) => text.trim() !== '').map((text) => ({ kind, text: text.trim() }))
}
