import type { Action } from '../core/words/action.ts'
import { isProgram, isProgramTool } from '../core/words/code-mode.ts'
import { type CallInput, type Fields, readCallInput } from './call-input.ts'
import { programAction } from './code-mode.ts'
import { mappedAction, mappingFor, type ToolMapping } from './mapping.ts'
import { looksLikePatch, parsePatch } from './patch.ts'
import { shellAction, shellCall } from './shell-calls.ts'
import { isSweAgentTool, sweAgentAction } from './swe-agent.ts'
import { plainToolName, toolNameCandidates, toolNameWords } from './tool-name.ts'
import { actionByShape } from './tool-shape.ts'
import { readerOf, type ToolReader } from './tools.ts'

/** A tool call of the record. */
export interface ToolCall {
  readonly tool: string
  /** The input: JSON, or the tool's own text. */
  readonly text: string
}

export interface ActionOptions {
  /** The user's own tools. The first match is used before all built-in tools. */
  readonly mappings?: readonly ToolMapping[] | undefined
}

/**
 * What a call of any agent does. Never throws; an unknown call is `other`. Paths are as the agent wrote them; the path is
 * empty for tools that work on the agent's open file. A call that reads several files is a read of the first.
 */
export function actionOf(call: ToolCall, options: ActionOptions = {}): Action {
  const input = readCallInput(call.text)
  const mapping = mappingFor(call.tool, options.mappings ?? [])
  if (mapping !== undefined) return mappedAction(mapping, input)
  if (input.kind === 'raw' && isProgramTool(call.tool) && isScript(input.text))
    return programAction(input.text, (inner) => actionOf(inner, options))
  return builtIn(call, input) ?? { kind: 'other' }
}

/** True for a program, or any text that is not a shell command. */
function isScript(text: string): boolean {
  return isProgram(text) || /\bawait\b|\btools\b|^(?:const|let|import)\s/m.test(text)
}

function builtIn(call: ToolCall, input: CallInput): Action | null {
  if (input.kind === 'raw') return rawAction(call.tool, input.text)
  const { fields } = input
  const names = toolNameCandidates(call.tool)
  for (const [index, name] of names.plain.entries()) {
    const reader = readerOf(name)
    if (reader === undefined) continue
    const foreign = names.foreign || index > 0
    if (foreign && isRemote(fields)) return null
    const action = reader(fields)
    if (action !== null) return foreign && !isAboutFiles(action, fields) ? null : action
    // A known name with a different input: SWE-agent's `edit`, Codex's patches through `shell`.
    return fields.has('command') && fields.has('path') ? otherShape(reader, fields) : null
  }
  if (isRemote(fields)) return null
  return actionByShape(toolNameWords(call.tool), fields)
}

function otherShape(reader: ToolReader, fields: Fields): Action | null {
  const editor = readerOf('strreplaceeditor')
  return editor === undefined || editor === reader ? null : editor(fields)
}

/** An MCP server's `search`, `list` or `find` is about files only if its input shows it. */
function isAboutFiles(action: Action, fields: Fields): boolean {
  switch (action.kind) {
    case 'search':
      return fields.has('pattern', 'regex')
    case 'glob':
      return fields.has('path', 'directory', 'dirpath', 'dir', 'pattern', 'glob')
    case 'list':
      return false
    default:
      return true
  }
}

/** A file in a remote repository or bucket is not a file of the working tree. */
function isRemote(fields: Fields): boolean {
  return fields.has('owner', 'repo', 'repository', 'repofullname', 'projectid', 'bucket', 'host')
}

/** Raw text is a patch or a command line, of a shell or of SWE-agent. */
function rawAction(tool: string, text: string): Action | null {
  const name = tool.trim().toLowerCase()
  const reader = readerOf(plainToolName(tool))
  if (looksLikePatch(text) && (reader === readerOf('applypatch') || reader === undefined)) {
    return { kind: 'patch', files: parsePatch(text) }
  }
  const line = text.trimStart()
  if (line === '') return null
  const repeated = line.startsWith(name)
  if (!repeated && isSweAgentTool(name)) return sweAgentAction(`${name} ${line}`)
  if (reader !== shellCall && !repeated) return null
  return sweAgentAction(line) ?? shellAction(text, null)
}
