import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FormatName } from '../../src/formats/format.ts'
import { type Recording, readRecording } from '../../src/recordings/index.ts'
import { recordedRequests } from '../../test/property/recorded-requests.ts'
import type { Played, PlayedRequest } from './play.ts'

export const corpora: readonly string[] = ['../shared/corpus', '../shared/corpus-2']

export interface RecordedSession extends Played {
  /** `corpus/claude-code/….jsonl`, with the session's place in a file that holds several. */
  readonly name: string
  readonly format: FormatName
}

/** The recorded sessions of both corpora; empty when the folders are absent. */
export async function* recordedSessions(): AsyncGenerator<RecordedSession> {
  for (const folder of corpora) {
    const manifest = path.resolve(folder, 'MANIFEST.tsv')
    if (!existsSync(manifest)) continue
    const [, ...rows] = readFileSync(manifest, 'utf8').trimEnd().split('\n')
    for (const file of rows.map((row) => row.split('\t')[0] as string)) {
      const { recordings } = await readRecording(createReadStream(path.resolve(folder, file)))
      for (const [index, recording] of recordings.entries()) {
        const place = recordings.length === 1 ? '' : `#${index + 1}`
        const name = `${path.basename(folder)}/${file}${place}`
        yield { name, cwd: recording.cwd, format: formatOf(recording), requests: sent(recording) }
      }
    }
  }
}

/** The request format of the agent in a recording. */
function formatOf({ format }: Recording): FormatName {
  switch (format) {
    case 'codex':
      return 'openai-responses'
    case 'gemini-cli':
      return 'gemini'
    case 'opencode-export':
    case 'opencode-storage':
      return 'opencode'
    case 'swe-agent':
    case 'mini-swe-agent':
    case 'copilot-cli':
      return 'openai-chat'
    default:
      return 'anthropic'
  }
}

function sent(recording: Recording): readonly PlayedRequest[] {
  return [...recordedRequests(recording)].map(({ messages, goesOn }) => ({
    messages,
    goesOn,
    at: messages.findLast(({ at }) => at !== undefined)?.at ?? null,
  }))
}
