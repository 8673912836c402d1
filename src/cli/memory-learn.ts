import { PalimpsestError } from '../core/words/errors.ts'
import type { Message } from '../memory/observe.ts'
import type { Recording } from '../recordings/recording.ts'
import { findFiles, openRecording } from './recording-files.ts'
import { type Terminal, writeNotice } from './terminal.ts'

export interface RecordedConversation {
  readonly session: string
  readonly messages: readonly Message[]
}

/** What users and assistants said in recorded sessions; files of another kind in a folder are passed over. */
export async function recordedMessages(
  terminal: Terminal,
  target: string,
): Promise<readonly RecordedConversation[]> {
  const files = await findFiles(target)
  const found: RecordedConversation[] = []
  for (const { file } of files) {
    try {
      const { recordings } = await openRecording(file)
      for (const [index, recording] of recordings.entries())
        found.push({
          session: recording.session ?? `${file}#${index}`,
          messages: spoken(recording),
        })
    } catch (error) {
      if (files.length === 1 || !PalimpsestError.is(error)) throw error
      writeNotice(terminal, `palimpsest: ${error.message}`)
    }
  }
  return found
}

function spoken(recording: Recording): readonly Message[] {
  const messages: Message[] = []
  for (const event of recording.events) {
    if (event.kind !== 'message') continue
    const { role, items, at, id } = event.message
    if (role !== 'user' && role !== 'assistant') continue
    const text = items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('\n')
    if (text.trim() === '') continue
    messages.push({
      id: id ?? String(messages.length + 1),
      role,
      text,
      ...(at === undefined ? {} : { at }),
    })
  }
  return messages
}
