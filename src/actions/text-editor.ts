import type { Action } from '../core/words/action.ts'
import type { Fields } from './call-input.ts'
import { editCall, insertCall, pathOf, readCall, writeCall } from './file-calls.ts'

/** The text-editor tool, which says in `command` what it does. */
export function textEditorCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  switch (fields.text('command')) {
    case 'view':
      // Only a path that ends in a slash shows before the result that it is a directory.
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
      return null
  }
}

/** Tools named after one command of the text-editor (`view`, `create`, `str_replace`), as Copilot CLI has them. */
export function viewCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  return path?.endsWith('/') ? { kind: 'glob', pattern: '*', path } : readCall(fields)
}

/** SWE-agent's `create` opens an empty file; everybody else's brings the content. */
export function createCall(fields: Fields): Action | null {
  const write = writeCall(fields)
  if (write !== null) return write
  const path = fields.text('filename')
  return path === null || path === '' ? null : { kind: 'write', path, content: '\n' }
}
