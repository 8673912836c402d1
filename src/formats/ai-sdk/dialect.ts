import type { Role } from '../../core/words/item.ts'
import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { Entry, ListDialect, Malformed, SlotEdit } from '../object/dialect.ts'
import { EntryBuilder, malformed } from '../object/entry-builder.ts'
import { plainCopy } from '../object/plain-value.ts'
import { signedPartReason } from '../object/signed-reasoning.ts'
import { describeFile } from './file-text.ts'
import { addToolResult, asText, writeOutput } from './tool-result.ts'

/** Model messages of the AI SDK, and the prompt of its language models (versions 2 to 4 of the interface). */
export const aiSdkDialect: ListDialect = {
  name: 'ai-sdk',
  parts: 'content',
  pick: plainCopy,
  interpret,
  writePart,
  model: () => null,
}

const roles = new Map<unknown, Role>([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])

function interpret(message: unknown, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(message)) return malformed('', 'expected a message')
  const role = roles.get(message.role)
  if (role === undefined) return malformed('.role', 'unknown role')
  const builder = new EntryBuilder(calls)
  const { content } = message
  if (typeof content === 'string')
    builder.addText(null, content, { identity: message.providerOptions })
  else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) addPart(builder, role, part, index)
  } else return malformed('.content', 'expected a text or a list of parts')
  return builder.entry({ role })
}

function addPart(builder: EntryBuilder, role: Role, part: unknown, index: number): void {
  if (isJsonObject(part) && addKnownPart(builder, role, part, index)) return
  const type = isJsonObject(part) ? part.type : undefined
  builder.addOpaque(index, typeof type === 'string' ? type : 'unknown', JSON.stringify(part))
}

/** Returns false if the part's type or shape is unknown. */
function addKnownPart(builder: EntryBuilder, role: Role, part: JsonObject, index: number): boolean {
  const identity = part.providerOptions
  const write = signedPartReason(identity)
  switch (part.type) {
    case 'text':
      if (typeof part.text !== 'string') return false
      builder.addText(index, part.text, { identity, write })
      return true
    case 'reasoning':
      if (typeof part.text !== 'string') return false
      builder.addReasoning(index, part.text, identity, identity)
      return true
    case 'reasoning-file': {
      const described = describeFile(part)
      if (described === null) return false
      const item = { kind: 'reasoning', binding: 'opaque', text: described.text } as const
      const reason = 'the reasoning is a file: it stays whole or goes whole'
      builder.add(index, item, { kind: 'whole' }, { identity, write: reason, remove: null })
      return true
    }
    case 'tool-call':
      return addToolCall(builder, part, index)
    case 'tool-result':
      return addToolResult(builder, part, index, role === 'assistant' ? 'provider' : 'client')
    case 'tool-approval-request':
      // The application keeps it; it is not sent to the model.
      builder.addOpaque(index, part.type, '', [part.approvalId, part.toolCallId])
      return true
    default: {
      const described = describeFile(part)
      if (described === null) return false
      builder.add(
        index,
        { kind: 'attachment', ...described },
        { kind: 'whole' },
        { identity, write },
      )
      return true
    }
  }
}

function addToolCall(builder: EntryBuilder, part: JsonObject, index: number): boolean {
  const { toolCallId: id, toolName: tool, input } = part
  if (typeof id !== 'string' || typeof tool !== 'string') return false
  const known = builder.call(id, tool)
  const takes = typeof input === 'string' ? 'text' : 'json'
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  const owned = part.providerExecuted === true ? { opaque: true as const } : {}
  builder.add(
    index,
    { kind: 'call', ...known, text, ...owned },
    { kind: 'input', takes },
    { identity: part.providerOptions, write: signedPartReason(part.providerOptions) },
  )
  return true
}

function writePart(part: JsonObject, edits: readonly SlotEdit[]): JsonObject {
  const [first] = edits
  if (first === undefined) return part
  switch (first.slot.kind) {
    case 'text':
      return { ...part, text: first.text }
    case 'input':
      return {
        ...part,
        input: first.slot.takes === 'json' ? JSON.parse(first.text) : first.text,
      }
    case 'whole':
      return asText(part, first.text)
    case 'output':
    case 'attached':
      return { ...part, output: writeOutput(part.output as JsonObject, edits) }
  }
}
