import type { Action, ActionKind } from '../core/words/action.ts'
import { isJsonObject } from '../core/words/json.ts'
import { fitsPattern } from '../core/words/name-pattern.ts'
import { type CallInput, type Fields, fieldsOf } from './call-input.ts'
import { editCall, readCall, writeCall } from './file-calls.ts'
import { lineRange } from './line-range.ts'
import { parsePatch } from './patch.ts'
import { fetchCall, globCall, searchCall, webSearchCall } from './search-calls.ts'
import { shellAction, shellCall } from './shell-calls.ts'
import { listReadCall, listWriteCall, subagentCall } from './task-calls.ts'

/**
 * What a user's own tool does, and the keys of its input. Dots in a key lead into nested objects (`args.file`). For keys
 * that are not given, the names of known agents are tried.
 *
 * @example { tool: 'my_reader', as: 'read', path: 'file', start: 'from', end: 'to' }
 */
export interface ToolMapping {
  /** The tool's name, in any case; `*` matches any characters. */
  readonly tool: string
  readonly as: ActionKind
  readonly path?: string | undefined
  /** First and last line to read, counted from 1, both included. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** How many lines are skipped. */
  readonly offset?: string | undefined
  /** How many lines to read. */
  readonly limit?: string | undefined
  readonly content?: string | undefined
  readonly oldText?: string | undefined
  readonly newText?: string | undefined
  /** A flag that replaces all occurrences. */
  readonly all?: string | undefined
  /** A list of edits, each with its own `oldText` and `newText`. */
  readonly edits?: string | undefined
  readonly patch?: string | undefined
  readonly command?: string | undefined
  readonly workdir?: string | undefined
  readonly pattern?: string | undefined
  readonly include?: string | undefined
  readonly url?: string | undefined
  readonly query?: string | undefined
  readonly tasks?: string | undefined
  readonly description?: string | undefined
  readonly prompt?: string | undefined
}

/** The first mapping whose name matches, or undefined. */
export function mappingFor(
  tool: string,
  mappings: readonly ToolMapping[],
): ToolMapping | undefined {
  return mappings.find((mapping) => fitsPattern(mapping.tool, tool))
}

/** Reads a call by its mapping. It is `other` if the input does not match. */
export function mappedAction(mapping: ToolMapping, input: CallInput): Action {
  if (input.kind === 'raw') return rawAction(mapping, input.text)
  const fields = renamed(mapping, input.fields)
  return byKind(mapping, fields) ?? { kind: 'other' }
}

function byKind(mapping: ToolMapping, fields: Fields): Action | null {
  switch (mapping.as) {
    case 'read':
      return mappedRead(mapping, fields)
    case 'write':
      return writeCall(fields)
    case 'edit':
      return editCall(fields)
    case 'patch': {
      const patch = fields.text('patch', 'patchtext', 'input', 'diff')
      return patch === null ? null : { kind: 'patch', files: parsePatch(patch) }
    }
    case 'shell':
      return shellCall(fields)
    case 'search':
      return searchCall(fields)
    case 'glob':
      return globCall(fields)
    case 'fetch':
      return fields.has('url') ? fetchCall(fields) : webSearchCall(fields)
    case 'list':
      return listWriteCall(fields) ?? listReadCall()
    case 'task':
      return subagentCall(fields)
    case 'other':
      return null
  }
}

function mappedRead(mapping: ToolMapping, fields: Fields): Action | null {
  const action = readCall(fields)
  if (action?.kind !== 'read' || mapping.offset === undefined) return action
  const skipped = fields.number('offset')
  if (skipped === null) return action
  return { ...action, lines: lineRange({ start: skipped + 1, limit: fields.number('limit') }) }
}

function rawAction(mapping: ToolMapping, text: string): Action {
  if (mapping.as === 'patch') return { kind: 'patch', files: parsePatch(text) }
  if (mapping.as === 'shell') return shellAction(text, null)
  return { kind: 'other' }
}

/** The known name for each key of a mapping. */
const targets = {
  path: ['file_path', 'path', 'dir_path'],
  start: ['start_line'],
  end: ['end_line'],
  offset: ['offset'],
  limit: ['limit'],
  content: ['content'],
  oldText: ['old_string'],
  newText: ['new_string'],
  all: ['replace_all'],
  edits: ['edits'],
  patch: ['patch'],
  command: ['cmd', 'command'],
  workdir: ['workdir'],
  pattern: ['pattern'],
  include: ['include'],
  url: ['url'],
  query: ['query'],
  tasks: ['todos'],
  description: ['description'],
  prompt: ['prompt'],
} as const satisfies Partial<Record<keyof ToolMapping, readonly string[]>>

function renamed(mapping: ToolMapping, fields: Fields): Fields {
  const front: Record<string, unknown> = {}
  for (const [role, names] of Object.entries(targets)) {
    const key = mapping[role as keyof typeof targets]
    if (key === undefined) continue
    const value = fields.exact(key)
    if (value === undefined) continue
    for (const name of names) front[name] = role === 'edits' ? renamedEdits(mapping, value) : value
  }
  // Spread twice: the first position decides between two spellings, the last value between equal keys.
  return fieldsOf({ ...front, ...fields.source, ...front })
}

function renamedEdits(mapping: ToolMapping, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((entry) => {
    if (!isJsonObject(entry)) return entry
    const edit = fieldsOf(entry)
    const at = (key: string | undefined): unknown =>
      key === undefined ? undefined : edit.exact(key)
    const given = { old_string: at(mapping.oldText), new_string: at(mapping.newText) }
    return { ...given, ...entry }
  })
}
