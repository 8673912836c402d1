import type { Action } from '../core/words/action.ts'
import type { Fields } from './call-input.ts'
import { editCall, insertCall, pathOf, readCall, writeCall } from './file-calls.ts'

/** The text-editor tool, whose `command` is the operation. */
export function textEditorCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  switch (fields.text('command')) {
    case 'view':
      // Only a path that ends in a slash is certainly a directory.
      return path?.endsWith('/') ? { kind: 'glob', pattern: '*', path } : readCall(fields)
    case 'create':
      return writeCall(fields)
    case 'str_replace':
      return editCall(fields)
    case 'insert':
      return insertCall(fields)
    case 'undo_edit':
      return path === null ? null : { kind: 'edit', path, edits: [{ kind: 'undo' }] }
    default:
      return fields.has('command') ? null : plainEditorCall(fields)
  }
}

/** Cline's `editor` has no command. The new text becomes the line of the given number. */
function plainEditorCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  const text = fields.text('newtext')
  if (path === null || text === null) return null
  const line = fields.number('insertline')
  if (line !== null)
    return { kind: 'edit', path, edits: [{ kind: 'insert', afterLine: line - 1, text }] }
  return fields.has('oldtext') ? editCall(fields) : { kind: 'write', path, content: text }
}

/** A tool named after a command of the text editor (`view`, `create`, `str_replace`), as in Copilot CLI. */
export function viewCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  return path?.endsWith('/') ? { kind: 'glob', pattern: '*', path } : readCall(fields)
}

/** SWE-agent's `create` opens an empty file; other agents give the content. */
export function createCall(fields: Fields): Action | null {
  const write = writeCall(fields)
  if (write !== null) return write
  const path = fields.text('filename')
  return path === null || path === '' ? null : { kind: 'write', path, content: '\n' }
}
