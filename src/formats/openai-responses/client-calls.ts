import type { ResultStatus } from '../../core/words/item.ts'
import type { JsonObject } from '../../core/words/json.ts'
import { addCall, callOfId } from '../body/call-index.ts'
import type { Write } from '../body/dialect.ts'
import { type EntryBuilder, opaqueWrite } from '../body/entry-builder.ts'
import { statusByText } from '../failed-result.ts'
import { addOtherPart, inputFrame, textOfPart } from './content.ts'

/** Calls of the provider's own tools that the client carries out, and the field that says what to do. */
const builtInCalls = new Map([
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['computer_call', 'action'],
  ['apply_patch_call', 'operation'],
])

const fixedShape: Write = {
  kind: 'refuse',
  reason: 'the input of a built-in tool has a fixed shape',
}

/** Adds a call that the client answers; false where the item is none. */
export function addClientCall(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  const id = typeof item.call_id === 'string' ? item.call_id : item.id
  if (typeof id !== 'string') return false
  const field = builtInCalls.get(type)
  if (field !== undefined) {
    const text = builder.spellingAt([field])
    addKnown(builder, id, type.slice(0, -'_call'.length), text, fixedShape)
    return true
  }
  if (typeof item.name !== 'string') return addUnknownCall(builder, item, type)
  const tool = toolName(item.name, item.namespace)
  if (type === 'custom_tool_call' && typeof item.input === 'string') {
    addKnown(builder, id, tool, item.input, { kind: 'string', path: ['input'] })
    return true
  }
  if (type !== 'function_call') return addUnknownCall(builder, item, type)
  if (typeof item.arguments === 'string' || item.arguments === undefined) {
    addKnown(builder, id, tool, item.arguments ?? '', { kind: 'json-string', path: ['arguments'] })
  } else {
    const text = builder.spellingAt(['arguments'])
    addKnown(builder, id, tool, text, { kind: 'json', path: ['arguments'] })
  }
  return true
}

/** Adds what the client gives back for a call; false where the item is no such output. */
export function addClientOutput(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  if (!type.endsWith('_output')) return false
  // The output of `local_shell_call` names its call by `id` in older versions.
  const id = typeof item.call_id === 'string' ? item.call_id : item.id
  if (typeof id !== 'string') return false
  const known = callOfId(builder.calls, id)
  const statusOf = (text: string): ResultStatus =>
    item.status === 'in_progress' ? 'running' : statusByText(known.tool, text)
  const { output } = item
  const path = ['output']
  if (typeof output === 'string' || output === null) {
    const text = output ?? ''
    builder.add(
      { kind: 'result', ...known, status: statusOf(text), text },
      { kind: 'string', path },
    )
    return true
  }
  if (!Array.isArray(output) || !takesParts(type)) {
    // Such as `tool_search_output`, which gives back tools instead of an output.
    const text = builder.spellingAt(output === undefined ? [] : path)
    builder.add({ kind: 'result', ...known, status: statusOf(''), text, opaque: true }, opaqueWrite)
    return true
  }
  const parts: readonly unknown[] = output
  const texts = parts.flatMap((part, index) => (textOfPart(part) === null ? [] : [index]))
  const text = texts.map((at) => textOfPart(parts[at])).join('\n')
  builder.add(
    { kind: 'result', ...known, status: statusOf(text), text },
    { kind: 'texts', path, texts, frame: inputFrame },
  )
  for (const [index, part] of parts.entries()) {
    if (textOfPart(part) !== null) continue
    addOtherPart(builder, part, [...path, index], { frame: inputFrame, call: known.call })
  }
  return true
}

/** Adds a call of a kind that is not known but has a client to answer it; server tools have no `call_id`. */
function addUnknownCall(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  if (!type.endsWith('_call') || typeof item.call_id !== 'string') return false
  const { calls, known } = addCall(builder.calls, item.call_id, type.slice(0, -'_call'.length))
  builder.calls = calls
  builder.add({ kind: 'call', ...known, text: builder.spellingAt([]), opaque: true }, opaqueWrite)
  return true
}

function takesParts(type: string): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output'
}

function addKnown(
  builder: EntryBuilder,
  id: string,
  tool: string,
  text: string,
  write: Write,
): void {
  const { calls, known } = addCall(builder.calls, id, tool)
  builder.calls = calls
  builder.add({ kind: 'call', ...known, text }, write)
}

/** A tool in a namespace has the name under which other wires know it: `mcp__server__tool`. */
function toolName(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') return name
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}
