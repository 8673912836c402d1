import { type JsonObject, objectOf } from '../core/words/json.ts'
import { identityOf, textOf } from './json-fields.ts'
import { readOpenCodeSession } from './opencode-session.ts'
import { linkStorage, type StoredMessage, type StoredPart } from './opencode-storage-links.ts'
import { readStorageValue } from './opencode-storage-values.ts'
import type { RecordingBuilder, RecordingProblem, RecordingReader } from './recording.ts'

/** OpenCode's storage folder as one file: JSON values of several sessions in any order. */
export const openCodeStorageReader: RecordingReader = {
  format: 'opencode-storage',
  recognises: (value) => readStorageValue(value).length > 0,
  open: (problem) => new StorageBuilder(problem),
}

class StorageBuilder implements RecordingBuilder {
  readonly #problem: (problem: RecordingProblem) => void
  readonly #sessions: JsonObject[] = []
  readonly #messages = new Map<string, StoredMessage>()
  readonly #parts = new Map<string, StoredPart>()
  readonly #lineOfPart = new Map<StoredPart, number>()
  #place = 0

  constructor(problem: (problem: RecordingProblem) => void) {
    this.#problem = problem
  }

  add(value: unknown, line: number): void {
    for (const found of readStorageValue(value)) {
      this.#place += 1
      const place = this.#place
      if (found.kind === 'session') {
        this.#sessions.push(found.info)
      } else if (found.kind === 'message') {
        keepNewest(this.#messages, identityOf(found.info.id), { info: found.info, place })
      } else {
        const part = { part: found.part, place }
        keepNewest(this.#parts, identityOf(found.part.id), part)
        this.#lineOfPart.set(part, line)
      }
    }
  }

  end(): ReturnType<RecordingBuilder['end']> {
    const sessions = linkStorage(
      [...this.#messages.values()],
      [...this.#parts.values()],
      (part) => {
        const line = this.#lineOfPart.get(part) ?? 0
        this.#problem({ line, message: 'a part of a message that is not in the file' })
      },
    )
    return sessions.map(({ session, messages }) =>
      readOpenCodeSession({
        format: 'opencode-storage',
        info: this.#infoOf(session, messages),
        session,
        messages,
      }),
    )
  }

  #infoOf(session: string | null, messages: readonly { info: JsonObject }[]): JsonObject {
    if (session !== null) {
      return this.#sessions.find((info) => info.id === session) ?? {}
    }
    const directories = new Set(messages.map(({ info }) => textOf(objectOf(info.path).cwd)))
    const redacted = this.#sessions.filter(
      (info) => identityOf(info.id) === undefined && directories.has(textOf(info.directory)),
    )
    return redacted.length === 1 ? redacted[0]! : {}
  }
}

/** A value with a known id replaces the older one at its position. */
function keepNewest<Value extends { readonly place: number }>(
  values: Map<string, Value>,
  id: string | undefined,
  value: Value,
): void {
  values.set(id ?? `REDACTED ${value.place}`, value)
}
