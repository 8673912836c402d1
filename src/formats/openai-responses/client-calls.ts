import type { ResultStatus } from '../../core/words/item.ts'
import type { JsonObject } from '../../core/words/json.ts'
import { callOfId } from '../body/call-index.ts'
import type { Write } from '../body/dialect.ts'
import { type EntryBuilder, opaqueWrite } from '../body/entry-builder.ts'
import { statusByText } from '../failed-result.ts'
import { addOtherPart, inputFrame, textOfPart } from './content.ts'

/** Calls of built-in tools that the client runs, with the field that contains their input. */
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

/** Adds a call that the client runs. Returns false for other items. */
export function addClientCall(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  const id = typeof item.call_id === 'string' ? item.call_id : item.id
  if (typeof id !== 'string') return false
  const field = builtInCalls.get(type)
  if (field !== undefined) {
    const text = builder.rawTextAt([field])
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
    const text = builder.rawTextAt(['arguments'])
    addKnown(builder, id, tool, text, { kind: 'json', path: ['arguments'] })
  }
  return true
}

/** Adds the output of a call that the client ran. Returns false for other items. */
export function addClientOutput(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  if (!type.endsWith('_output')) return false
  // In older versions the output of `local_shell_call` has the call id in `id`.
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
    // For example `tool_search_output`, which has tools instead of an output.
    const text = builder.rawTextAt(output === undefined ? [] : path)
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

/** Adds a call of unknown type that the client runs: calls of server tools have no `call_id`. */
function addUnknownCall(builder: EntryBuilder, item: JsonObject, type: string): boolean {
  if (!type.endsWith('_call') || typeof item.call_id !== 'string') return false
  const known = builder.addCall(item.call_id, type.slice(0, -'_call'.length))
  builder.add({ kind: 'call', ...known, text: builder.rawTextAt([]), opaque: true }, opaqueWrite)
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
  builder.add({ kind: 'call', ...builder.addCall(id, tool), text }, write)
}

/** The name of a tool with its namespace, as in other formats: `mcp__server__tool`. */
function toolName(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') return name
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}
