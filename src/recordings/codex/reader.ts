import { isJsonObject } from '../../core/words/json.ts'
import { textOf } from '../json-fields.ts'
import type { RecordingReader } from '../recording.ts'
import { CodexBuilder } from './session.ts'

const envelopes: ReadonlySet<unknown> = new Set([
  'compacted',
  'event_msg',
  'response_item',
  'session_meta',
  'turn_context',
])
const bareItems: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call'])

/** Codex's rollouts: JSON Lines of `{timestamp, type, payload}`, or of bare items in old versions. */
export const codexReader: RecordingReader = {
  format: 'codex',
  recognises(value) {
    if (!isJsonObject(value)) return false
    if (isJsonObject(value.payload)) return envelopes.has(value.type)
    if (value.record_type === 'state') return true
    if (!bareItems.has(value.type)) return false
    return value.type === 'message'
      ? Array.isArray(value.content) && textOf(value.role) !== undefined
      : textOf(value.call_id) !== undefined || Array.isArray(value.summary)
  },
  open: (problem) => new CodexBuilder(problem),
}
