import { isJsonObject } from '../../core/words/json.ts'
import { textOf } from '../json-fields.ts'
import type { RecordingReader } from '../recording.ts'
import { ClaudeCodeBuilder } from './builder.ts'

const messageTypes: ReadonlySet<unknown> = new Set(['user', 'assistant'])

const otherTypes: ReadonlySet<unknown> = new Set([
  'attachment',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
  'system',
])

/** Claude Code's transcripts: JSON Lines with one content block per line. A sub-agent's file is its own session. */
export const claudeCodeReader: RecordingReader = {
  format: 'claude-code',
  recognises(value) {
    if (!isJsonObject(value)) return false
    const session = textOf(value.sessionId) ?? textOf(value.session_id)
    if (messageTypes.has(value.type))
      return isJsonObject(value.message) && (session ?? textOf(value.uuid)) !== undefined
    if (!otherTypes.has(value.type)) return false
    return (
      session !== undefined ||
      textOf(value.leafUuid) !== undefined ||
      (value.type === 'file-history-snapshot' && isJsonObject(value.snapshot))
    )
  },
  open: (problem) => new ClaudeCodeBuilder(problem),
}
