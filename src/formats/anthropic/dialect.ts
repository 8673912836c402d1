import type { Role } from '../../core/words/item.ts'
import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { Dialect, Entry, Malformed, Path, Write } from '../body/dialect.ts'
import {
  EntryBuilder,
  malformed,
  opaqueWrite,
  signedWrite,
  textFrame,
} from '../body/entry-builder.ts'
import type { RawNode } from '../json/raw-node.ts'
import { addAttachment } from './attachment.ts'
import { addToolResult } from './tool-result.ts'

/** Anthropic's Messages API. */
export const anthropicDialect: Dialect = {
  name: 'anthropic',
  conversation: ['messages'],
  system: ['system'],
  tools: ['tools'],
  conversationOptional: false,
  readElement,
  readString: null,
}

const roles = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  // Allowed inside a conversation with the beta `mid-conversation-system`.
  ['system', 'system'],
  ['developer', 'developer'],
])

function readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Malformed {
  if (!isJsonObject(value)) return malformed([], 'expected a message')
  const role = roles.get(value.role)
  if (role === undefined) return malformed(['role'], 'unknown role')
  const builder = new EntryBuilder(node, calls)
  const { content } = value
  if (typeof content === 'string') builder.addText(content, ['content'])
  else if (Array.isArray(content)) {
    for (let index = 0; index < content.length; index++) addBlock(builder, content[index], index)
  } else return malformed(['content'], 'expected a text or an array of blocks')
  return builder.entry(role)
}

function addBlock(builder: EntryBuilder, block: unknown, index: number): void {
  if (isJsonObject(block) && addKnownBlock(builder, block, index)) return
  const type = isJsonObject(block) ? block.type : undefined
  builder.addOpaque(typeof type === 'string' ? type : 'unknown', ['content', index])
}

/** Returns false if the block's type or shape is unknown. */
function addKnownBlock(builder: EntryBuilder, block: JsonObject, index: number): boolean {
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') return false
      builder.addText(block.text, ['content', index, 'text'])
      return true
    case 'thinking':
      return addThinking(builder, block, ['content', index])
    case 'redacted_thinking':
      if (typeof block.data !== 'string') return false
      builder.addRemovable(
        { kind: 'reasoning', binding: 'opaque', text: block.data },
        opaqueWrite,
        ['content', index],
      )
      return true
    case 'tool_use':
      return addToolUse(builder, block, index)
    case 'tool_result':
      return addToolResult(builder, block, index)
    case 'image':
    case 'document':
    case 'search_result':
      return addAttachment(builder, block, ['content', index], { frame: textFrame('text') })
    case 'container_upload':
      if (typeof block.file_id !== 'string') return false
      builder.add(
        { kind: 'attachment', media: 'container_upload', text: block.file_id, opaque: true },
        opaqueWrite,
      )
      return true
    default:
      return false
  }
}

function addThinking(builder: EntryBuilder, block: JsonObject, path: Path): boolean {
  const { thinking, signature } = block
  if (typeof thinking !== 'string') return false
  const signed = signature !== undefined && signature !== null && signature !== ''
  const write: Write = signed ? signedWrite : { kind: 'string', path: [...path, 'thinking'] }
  builder.addRemovable(
    { kind: 'reasoning', binding: signed ? 'signed' : 'plain', text: thinking },
    write,
    path,
  )
  return true
}

function addToolUse(builder: EntryBuilder, block: JsonObject, index: number): boolean {
  const { id, name, input } = block
  if (typeof id !== 'string' || typeof name !== 'string') return false
  const { call, tool } = builder.addCall(id, name)
  const path = ['content', index, 'input']
  const text = input === undefined ? '{}' : (builder.node.at(path)?.rawText ?? '')
  builder.add({ kind: 'call', call, tool, text }, { kind: 'json', path })
  return true
}
