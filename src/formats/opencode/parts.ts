import { clearedByAgent } from '../../core/render/marks.ts'
import type { AttachmentDraft, ResultStatus } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { describeUrl } from '../body/attachment-text.ts'
import type { Slot } from '../object/dialect.ts'
import type { EntryBuilder } from '../object/entry-builder.ts'
import { signedPartReason } from '../object/signed-reasoning.ts'

/** What OpenCode sends for a call without a result. */
const interrupted = '[Tool execution was interrupted]'

const notCompleted = 'the call has not completed'

/** Parts for which OpenCode sends a fixed sentence to the model. */
const sentences = new Map<unknown, string>([
  ['compaction', 'What did we do so far?'],
  ['subtask', 'The following tool was executed by the user'],
])

/** Files whose content OpenCode adds as a separate text part. */
const shownAsText: ReadonlySet<unknown> = new Set(['text/plain', 'application/x-directory'])

export function addUserPart(builder: EntryBuilder, part: unknown, index: number): void {
  const { id, type, text, ignored, mime } = objectOf(part)
  if (type === 'text' && typeof text === 'string' && !ignored) {
    builder.addText(index, text, { identity: id })
  } else if (type === 'file' && typeof mime === 'string' && !shownAsText.has(mime)) {
    const item = fileItem(objectOf(part))
    builder.add(index, item, { kind: 'whole' }, { identity: id })
  } else if (sentences.has(type)) {
    builder.addOpaque(index, String(type), sentences.get(type)!, id)
  } else addMarker(builder, type, index, id)
}

export function addAssistantPart(builder: EntryBuilder, part: unknown, index: number): void {
  const { id, type, text, metadata } = objectOf(part)
  if (type === 'text' && typeof text === 'string') {
    const write = signedPartReason(metadata)
    builder.addText(index, text, { identity: [id, metadata], write })
  } else if (type === 'reasoning' && typeof text === 'string') {
    builder.addReasoning(index, text, metadata, [id, metadata])
  } else if (type === 'tool' && addTool(builder, objectOf(part), index)) return
  else addMarker(builder, type, index, id)
}

/** Adds a part that is not sent to the model. `step-start` cannot be removed, because it separates steps. */
function addMarker(builder: EntryBuilder, type: unknown, index: number, identity: unknown): void {
  const marker = typeof type === 'string' ? type : 'unknown'
  const remove = marker === 'step-start' && index > 0 ? 'the marker divides two steps' : null
  const write = 'the model sees nothing of the marker'
  builder.add(
    index,
    { kind: 'marker', marker, text: '' },
    { kind: 'whole' },
    { identity, write, remove },
  )
}

const outputSlot: Slot = { kind: 'output' }
const inputSlots = {
  json: { kind: 'input', takes: 'json' },
  text: { kind: 'input', takes: 'text' },
} as const satisfies Readonly<Record<string, Slot>>

/** Adds a call, its result and the result's attachments. Returns false if the part's shape is unknown. */
function addTool(builder: EntryBuilder, part: JsonObject, index: number): boolean {
  const { callID, tool, metadata } = part
  if (typeof callID !== 'string' || typeof tool !== 'string') return false
  const state = objectOf(part.state)
  const outcome = outcomeOf(state)
  if (outcome === null) return false
  const identity = [part.id, metadata]
  const { call } = builder.call(callID, tool)
  const isProviders = objectOf(metadata).providerExecuted === true
  const write = outcome.status === 'running' ? notCompleted : null
  const input = inputOf(state)
  const { status, text } = outcome
  builder.add(
    index,
    isProviders
      ? { kind: 'call', call, tool, text: input.text, opaque: true }
      : { kind: 'call', call, tool, text: input.text },
    inputSlots[input.takes],
    { identity, write: write ?? signedPartReason(metadata) },
  )
  // OpenCode sends a fixed text for a cleared result, although it keeps the output.
  const isCleared = state.status === 'completed' && Boolean(state.compacted)
  builder.add(
    index,
    isCleared || isProviders
      ? { kind: 'result', call, tool, status, text, opaque: true }
      : { kind: 'result', call, tool, status, text },
    outputSlot,
    { identity, write },
  )
  if (state.status !== 'completed' || isCleared) return true
  for (const [position, file] of arrayOf(state.attachments).entries()) {
    const item = {
      ...fileItem(objectOf(file)),
      call,
      ...(isProviders ? { opaque: true as const } : {}),
    }
    builder.add(index, item, { kind: 'attached', index: position }, { identity })
  }
  return true
}

function inputOf({ input, raw }: JsonObject): {
  readonly text: string
  readonly takes: 'json' | 'text'
} {
  if (typeof input === 'string') return { text: input, takes: 'text' }
  // A call that is still streaming has only its raw text.
  if (typeof raw === 'string' && raw !== '') {
    const isEmpty = !isJsonObject(input) || Object.keys(input).length === 0
    if (isEmpty) return { text: raw, takes: 'text' }
  }
  return { text: JSON.stringify(input ?? {}), takes: 'json' }
}

function outcomeOf(state: JsonObject): {
  readonly status: ResultStatus
  readonly text: string
} | null {
  switch (state.status) {
    case 'completed':
      return { status: 'ok', text: state.compacted ? clearedByAgent : textOf(state.output) }
    case 'error':
      return {
        status: 'error',
        text: typeof state.printed === 'string' ? state.printed : textOf(state.error),
      }
    case 'pending':
    case 'running':
      return { status: 'running', text: interrupted }
    default:
      return null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function fileItem({ mime, url, filename }: JsonObject): AttachmentDraft {
  const media = typeof mime === 'string' ? mime : 'file'
  if (typeof url === 'string') return { kind: 'attachment', ...describeUrl(media, url), media }
  return { kind: 'attachment', media, text: typeof filename === 'string' ? filename : '' }
}
