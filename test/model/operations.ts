import type { JsonObject } from '../../src/core/words/json.ts'
import { asProgram } from './code-mode.ts'
import { imitated } from './imitate.ts'
import type { PromptBlock } from './prompt.ts'
import { restoreCall } from './restore.ts'
import type { Operation, TaskEntry } from './scenario.ts'
import { type TaskBoard, taskListCalls } from './task-list.ts'
import type { OfferedTool, OfferedTools } from './tools.ts'

/** A call of a tool as the model would make it, before it has an id. */
export interface PlannedCall {
  readonly name: string
  /** Text for a tool with a grammar of its own. */
  readonly input: JsonObject | string
  readonly namespace?: string
}

/** Maps one operation on what the client offers. A task list may need several calls. */
export function planCalls(
  operation: Operation,
  tools: OfferedTools,
  board: TaskBoard,
  blocks: readonly PromptBlock[] = [],
): readonly PlannedCall[] {
  const planned = planFrom(blocks, operation, tools) ?? plan(operation as Planned, tools, board)
  return planned.map((call) => {
    const { namespace, within } = tools.get(call.name) ?? {}
    if (within !== undefined) return { name: within, input: asProgram(call, operation.kind) }
    return namespace === undefined ? call : { ...call, namespace }
  })
}

/** What depends on what the request says; null for all else. */
function planFrom(
  blocks: readonly PromptBlock[],
  operation: Operation,
  tools: OfferedTools,
): readonly PlannedCall[] | null {
  if (operation.kind === 'restore') return restoreCall(blocks, tools)
  if (operation.kind !== 'imitate') return null
  const { path, content } = operation
  return [imitated(writeCall({ kind: 'write', path, content }, tools), blocks)]
}

type Planned = Exclude<Operation, { readonly kind: 'restore' | 'imitate' }>

function plan(operation: Planned, tools: OfferedTools, board: TaskBoard): readonly PlannedCall[] {
  switch (operation.kind) {
    case 'tool':
      return [serverTool(operation, tools)]
    case 'resource':
      return resourceCall(operation, tools)
    case 'raw':
      return [{ name: operation.name, input: operation.input }]
    case 'bash':
      return [shellCall(tools, operation.command)]
    case 'read':
      return [readCall(operation, tools)]
    case 'write':
      return [writeCall(operation, tools)]
    case 'edit':
      return [editCall(operation, tools)]
    case 'grep':
      return [grepCall(operation, tools)]
    case 'glob':
      return [globCall(operation, tools)]
    case 'todo':
      return taskListCalls(operation.items, tools, board) ?? [echoTasks(operation.items, tools)]
  }
}

type Of<Kind extends Operation['kind']> = Extract<Operation, { readonly kind: Kind }>

function serverTool({ name, input }: Of<'tool'>, tools: OfferedTools): PlannedCall {
  const known = [...tools.keys()].find((each) => each === name || each.endsWith(`_${name}`))
  if (known !== undefined) return { name: known, input }
  return tools.has('tool_search')
    ? { name: 'tool_search', input: { query: name, limit: 3 } }
    : { name: 'ToolSearch', input: { query: `select:mcp__palimpsest__${name}`, max_results: 1 } }
}

function resourceCall(
  { server, uri }: Of<'resource'>,
  tools: OfferedTools,
): readonly PlannedCall[] {
  const tool = offered(tools, 'ReadMcpResourceTool', 'read_mcp_resource')
  if (tool !== null) return [{ name: tool.name, input: { server, uri } }]
  if (!tools.has('ToolSearch')) return []
  const query = 'select:ReadMcpResourceTool'
  return [{ name: 'ToolSearch', input: { query, max_results: 1 } }]
}

function readCall(operation: Of<'read'>, tools: OfferedTools): PlannedCall {
  const tool = offered(tools, 'Read', 'read', 'read_file', 'view')
  const { path } = operation
  if (tool === null) return shellCall(tools, shellRead(operation))
  return { name: tool.name, input: { [pathField(tool)]: path, ...linesRead(operation, tool) } }
}

function linesRead({ offset, limit }: Of<'read'>, { properties }: OfferedTool): JsonObject {
  if (offset === undefined && limit === undefined) return {}
  const start = offset ?? 1
  const end = limit === undefined ? undefined : start + limit - 1
  if ('view_range' in properties) return { view_range: [start, end ?? -1] }
  if ('start_line' in properties)
    return { start_line: start, ...(end === undefined ? {} : { end_line: end }) }
  return {
    ...(offset !== undefined && 'offset' in properties ? { offset } : {}),
    ...(limit !== undefined && 'limit' in properties ? { limit } : {}),
  }
}

function shellRead({ path, offset = 1, limit }: Of<'read'>): string {
  if (limit !== undefined) return `sed -n '${offset},${offset + limit - 1}p' ${quote(path)}`
  return offset > 1 ? `tail -n +${offset} ${quote(path)}` : `cat ${quote(path)}`
}

function writeCall(operation: Of<'write'>, tools: OfferedTools): PlannedCall {
  const { path, content } = operation
  const tool = offered(tools, 'Write', 'write', 'write_file', 'create')
  if (tool !== null) {
    const field = pick(tool.properties, 'content', 'file_text')
    return { name: tool.name, input: { [pathField(tool)]: path, [field]: content } }
  }
  const patch = offered(tools, 'apply_patch')
  if (patch !== null) return patchCall(patch, [`*** Add File: ${path}`, ...marked('+', content)])
  const end = content.endsWith('\n') ? '' : '\n'
  return shellCall(tools, `cat > ${quote(path)} <<'END_OF_FILE'\n${content}${end}END_OF_FILE`)
}

function editCall(operation: Of<'edit'>, tools: OfferedTools): PlannedCall {
  const { path, old, new: replacement } = operation
  const tool = offered(tools, 'Edit', 'edit', 'replace', 'str_replace')
  if (tool !== null) {
    const fields = tool.properties
    if ('edits' in fields) {
      const edits = [{ oldText: old, newText: replacement }]
      return { name: tool.name, input: { [pathField(tool)]: path, edits } }
    }
    const oldField = pick(fields, 'old_string', 'oldString', 'oldText', 'old_str')
    const newField = pick(fields, 'new_string', 'newString', 'newText', 'new_str')
    const instruction = 'instruction' in fields ? { instruction: 'Make the change' } : {}
    const texts = { [oldField]: old, [newField]: replacement }
    return { name: tool.name, input: { [pathField(tool)]: path, ...instruction, ...texts } }
  }
  const patch = offered(tools, 'apply_patch')
  if (patch !== null) {
    const lines = [...marked('-', old), ...marked('+', replacement)]
    return patchCall(patch, [`*** Update File: ${path}`, '@@', ...lines])
  }
  const replace = 's/\\Q$ENV{OLD}\\E/$ENV{NEW}/ or die "text not found\\n"'
  return shellCall(
    tools,
    `OLD=${quote(old)} NEW=${quote(replacement)} perl -0pi -e ${quote(replace)} ${quote(path)}`,
  )
}

function marked(mark: string, text: string): readonly string[] {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text
  return lines.split('\n').map((line) => mark + line)
}

function patchCall(tool: OfferedTool, lines: readonly string[]): PlannedCall {
  const text = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
  if (tool.kind === 'custom') return { name: tool.name, input: text }
  return { name: tool.name, input: { [Object.keys(tool.properties)[0] ?? 'input']: text } }
}

function grepCall(operation: Of<'grep'>, tools: OfferedTools): PlannedCall {
  const { pattern, path } = operation
  const tool = offered(tools, 'Grep', 'grep', 'grep_search', 'search_file_content')
  if (tool === null) {
    return shellCall(tools, `grep -rn -- ${quote(pattern)} ${quote(path ?? '.')}`)
  }
  const mode = 'output_mode' in tool.properties ? { output_mode: 'content' } : {}
  const field = pick(tool.properties, 'path', 'dir_path', 'paths')
  const where = path === undefined ? {} : { [field]: path }
  return { name: tool.name, input: { pattern, ...where, ...mode } }
}

function globCall({ pattern }: Of<'glob'>, tools: OfferedTools): PlannedCall {
  const tool = offered(tools, 'Glob', 'glob', 'find')
  if (tool !== null) return { name: tool.name, input: { pattern } }
  return shellCall(tools, `git ls-files -- ${quote(`:(glob)${pattern}`)}`)
}

function echoTasks(items: readonly TaskEntry[], tools: OfferedTools): PlannedCall {
  const lines = items.map((item) => `[${item.status}] ${item.content}`)
  return shellCall(tools, `printf '%s\\n' ${lines.map(quote).join(' ')}`)
}

export function shellCall(tools: OfferedTools, command: string): PlannedCall {
  const tool = offered(
    tools,
    'exec_command',
    'Bash',
    'bash',
    'shell_command',
    'shell',
    'run_shell_command',
    'run_commands',
  )
  if (tool === null) return { name: 'bash', input: { command } }
  if ('commands' in tool.properties) return { name: tool.name, input: { commands: [command] } }
  const field = pick(tool.properties, 'cmd', 'command')
  const description = 'description' in tool.properties ? { description: 'Run a command' } : {}
  const takesList = isListField(tool.properties[field])
  const value = takesList ? ['bash', '-lc', command] : command
  return { name: tool.name, input: { [field]: value, ...description } }
}

function isListField(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema
    ? schema.type === 'array'
    : false
}

function offered(tools: OfferedTools, ...names: readonly string[]): OfferedTool | null {
  const name = names.find((candidate) => tools.has(candidate))
  return name === undefined ? null : tools.get(name)!
}

function pathField(tool: OfferedTool): string {
  return pick(tool.properties, 'file_path', 'filePath', 'filepath', 'path', 'absolute_path')
}

function pick(properties: JsonObject, ...names: readonly [string, ...string[]]): string {
  return names.find((name) => name in properties) ?? names[0]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
