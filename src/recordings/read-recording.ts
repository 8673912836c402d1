import { PalimpsestError } from '../core/words/errors.ts'
import { JsonValues } from './json-values.ts'
import { recordingReaders } from './readers.ts'
import type {
  RecordingBuilder,
  RecordingFile,
  RecordingFormat,
  RecordingProblem,
  RecordingReader,
} from './recording.ts'
import { TextLines } from './text-lines.ts'
import { completeUnfinished } from './unfinished-document.ts'

export interface ReadRecordingOptions {
  /** Called with the size of each chunk, in bytes, once it has been read. */
  onBytes?(bytes: number): void
}

/** Reading stops with an error after this many values or damaged lines of no known format. */
const valuesBeforeGivingUp = 1_000

/** Formats that store a session as one JSON document. */
const documentFormats: ReadonlySet<RecordingFormat> = new Set([
  'gemini-cli',
  'mini-swe-agent',
  'opencode-export',
  'swe-agent',
])

interface BufferedValue {
  readonly value: unknown
  readonly line: number
}

/**
 * Reads a recorded session of any supported agent from a stream and detects the format by content. Throws a
 * `PalimpsestError` with the code `unreadable` if no value in the file is of a known format.
 */
export async function readRecording(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  options: ReadRecordingOptions = {},
): Promise<RecordingFile> {
  const detection = new Detection()
  const values = new JsonValues(detection)
  const lines = new TextLines((line) => values.line(line))
  for await (const chunk of chunks) {
    lines.push(chunk)
    options.onBytes?.(typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length)
  }
  lines.end()
  values.end()
  return detection.end()
}

class Detection {
  readonly #problems: RecordingProblem[] = []
  #buffered: BufferedValue[] = []
  #values = 0
  #reader: RecordingReader | null = null
  #builder: RecordingBuilder | null = null

  value(value: unknown, line: number): void {
    if (this.#builder) {
      this.#builder.add(value, line)
      return
    }
    this.#values += 1
    this.#buffered.push({ value, line })
    const reader = recordingReaders.find((candidate) => candidate.recognises(value))
    if (reader) this.#open(reader)
    else if (this.#values >= valuesBeforeGivingUp) throw this.#unreadable()
  }

  damage(line: number, message: string, unfinished?: () => string): void {
    this.#problems.push({ line, message })
    if (unfinished && !this.#builder && this.#values === 0) this.#takeUnfinished(unfinished(), line)
    if (!this.#builder && this.#problems.length >= valuesBeforeGivingUp) throw this.#unreadable()
  }

  end(): RecordingFile {
    if (!this.#reader || !this.#builder) throw this.#unreadable()
    const recordings = this.#builder.end()
    const problems = this.#problems.sort((left, right) => left.line - right.line)
    return { format: this.#reader.format, recordings, problems }
  }

  /** Uses the readable part of a truncated document, for formats that store a session as one document. */
  #takeUnfinished(text: string, line: number): void {
    const value = completeUnfinished(text)
    const reader = recordingReaders.find((candidate) => candidate.recognises(value))
    if (!reader || !documentFormats.has(reader.format)) return
    this.#values += 1
    this.#buffered.push({ value, line })
    this.#open(reader)
  }

  #open(reader: RecordingReader): void {
    this.#reader = reader
    this.#builder = reader.open((problem) => this.#problems.push(problem))
    for (const { value, line } of this.#buffered) this.#builder.add(value, line)
    this.#buffered = []
  }

  #unreadable(): PalimpsestError {
    const names = recordingReaders.map(({ format }) => format).join(', ')
    return new PalimpsestError(
      'unreadable',
      `${this.#found()} Expected a recorded session of one of these formats: ${names}.`,
    )
  }

  #found(): string {
    if (this.#values > 0)
      return `None of the ${this.#values} JSON values read belongs to a known recording format.`
    const first = this.#problems[0]
    if (first) return `The file has no valid JSON. Line ${first.line}: ${first.message}.`
    return 'The file is empty.'
  }
}
