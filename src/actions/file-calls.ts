import type { Action, FilePatch, PatchHunk, TextEdit } from '../core/words/action.ts'
import { isJsonObject } from '../core/words/json.ts'
import { type Fields, fieldsOf } from './call-input.ts'
import { type LineRangeOptions, lineRangeOf } from './line-range.ts'

const pathKeys = [
  'filepath',
  'absolutepath',
  'path',
  'file',
  'filename',
  'targetfile',
  'notebookpath',
  'relativepath',
  'targetpath',
  'fileuri',
  'uri',
]
const contentKeys = [
  'content',
  'contents',
  'filetext',
  'filecontent',
  'text',
  'newcontent',
  'codecontent',
  'codeedit',
]
const oldKeys = ['oldstring', 'oldstr', 'oldtext', 'old', 'search', 'searchtext', 'oldcontent']
const newKeys = ['newstring', 'newstr', 'newtext', 'new', 'replace', 'replacement', 'replacetext']
const allKeys = ['replaceall', 'allowmultiple', 'all']

export function pathOf(fields: Fields): string | null {
  const path = fields.text(...pathKeys)
  // A URL with a scheme other than `file:` is not a file.
  if (path !== null && /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(path)) return null
  if (path !== null && path !== '') return path
  for (const entry of fields.list('paths', 'filepaths', 'files', 'include', 'path') ?? []) {
    if (typeof entry === 'string' && entry !== '') return entry
    const inner = isJsonObject(entry) ? fieldsOf(entry).text(...pathKeys) : null
    if (inner !== null && inner !== '') return inner
  }
  return null
}

export function readCall(
  fields: Fields,
  options: LineRangeOptions = { offset: 'first-line' },
): Action | null {
  const path = pathOf(fields)
  if (path === null) return null
  if (/[*{}]/.test(path)) return { kind: 'glob', pattern: path, path: null }
  return { kind: 'read', path, lines: lineRangeOf(fields, options) }
}

/**
 * In Gemini CLI and its forks `offset` is the number of skipped lines. In all other agents it is the first line, also in
 * Codex's tool of the same name, which has `mode` and `indentation`.
 */
export function readFileCall(fields: Fields): Action | null {
  const skipped =
    fields.has('offset') &&
    fields.has('absolutepath', 'filepath') &&
    !fields.has('mode', 'indentation', 'targetfile', 'path')
  return readCall(fields, { offset: skipped ? 'lines-skipped' : 'first-line' })
}

/** Cline reads several files with one call. No later call shows all of them, so only a read of one file counts as a read. */
export function readFilesCall(fields: Fields): Action | null {
  const files = fields.list('files') ?? []
  const [only] = files
  if (files.length > 1) return { kind: 'other' }
  return isJsonObject(only) ? readCall(fieldsOf(only)) : readCall(fields)
}

export function writeCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  const content = fields.text(...contentKeys)
  return path === null || content === null ? null : { kind: 'write', path, content }
}

/** One edit, a list of edits, an insertion or a replacement of whole lines. */
export function editCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  const listed = fields.list('edits', 'changes', 'replacements')
  const edits =
    listed === null
      ? editOf(fields)
      : listed.flatMap((entry) => (isJsonObject(entry) ? editOf(fieldsOf(entry)) : []))
  if (edits.length === 0) {
    // The input only sketches the change, which another model applies.
    return path !== null && fields.has('codeedit') ? { kind: 'edit', path, edits } : null
  }
  const lineEdits = edits.every((edit) => edit.kind === 'lines')
  // SWE-agent edits its open file without naming it.
  if (path === null) return lineEdits ? { kind: 'edit', path: '', edits } : severalFiles(listed)
  const only = edits.length === 1 ? edits[0] : undefined
  // With an empty old text, all agents write the new text as the whole file.
  if (only?.kind === 'replace' && only.oldText === '') {
    return { kind: 'write', path, content: only.newText }
  }
  return { kind: 'edit', path, edits }
}

export function deleteCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  return path === null ? null : { kind: 'patch', files: [{ op: 'delete', path }] }
}

export function moveCall(fields: Fields): Action | null {
  const path = fields.text('source', 'sourcepath', 'from', 'oldpath')
  const movedTo = fields.text('destination', 'destinationpath', 'to', 'newpath')
  if (path === null || movedTo === null) return null
  return { kind: 'patch', files: [{ op: 'update', path, movedTo, hunks: [] }] }
}

export function notebookEditCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  if (path === null) return null
  const mode = fields.text('editmode', 'mode')
  const index = fields.number('cellnumber', 'cellindex', 'index')
  return {
    kind: 'edit',
    path,
    edits: [
      {
        kind: 'cell',
        cell: fields.text('cellid', 'cell') ?? (index === null ? '' : String(index)),
        mode: mode === 'insert' || mode === 'delete' ? mode : 'replace',
        text: fields.text('newsource', 'source', 'content') ?? '',
      },
    ],
  }
}

export function insertCall(fields: Fields): Action | null {
  const path = pathOf(fields)
  const afterLine = fields.number('insertline', 'afterline', 'line', 'linenumber')
  const text = fields.text('newstr', 'inserttext', 'text', 'content')
  if (path === null || afterLine === null || text === null) return null
  return { kind: 'edit', path, edits: [{ kind: 'insert', afterLine, text }] }
}

/** Edits with a file each become a patch. */
function severalFiles(listed: readonly unknown[] | null): Action | null {
  const hunks = new Map<string, PatchHunk[]>()
  for (const entry of listed ?? []) {
    const fields = isJsonObject(entry) ? fieldsOf(entry) : null
    const path = fields === null ? null : pathOf(fields)
    if (fields === null || path === null) return null
    for (const edit of editOf(fields)) {
      if (edit.kind === 'replace') hunks.set(path, [...(hunks.get(path) ?? []), hunkOf(edit)])
    }
  }
  const files: readonly FilePatch[] = [...hunks].map(([path, own]) => ({
    op: 'update',
    path,
    movedTo: null,
    hunks: own,
  }))
  return files.length === 0 ? null : { kind: 'patch', files }
}

function hunkOf(edit: { readonly oldText: string; readonly newText: string }): PatchHunk {
  const signed = (sign: '-' | '+', text: string): PatchHunk['lines'] =>
    text === '' ? [] : text.split('\n').map((line) => ({ sign, text: line }))
  return {
    heading: '',
    oldStart: null,
    lines: [...signed('-', edit.oldText), ...signed('+', edit.newText)],
  }
}

function editOf(fields: Fields): readonly TextEdit[] {
  const oldText = fields.text(...oldKeys)
  if (oldText !== null) {
    const newText = fields.text(...newKeys) ?? ''
    return [{ kind: 'replace', oldText, newText, all: fields.flag(...allKeys) }]
  }
  const start = fields.number('startline')
  const end = fields.number('endline')
  const text = fields.text('replacementtext', ...newKeys, ...contentKeys)
  if (start !== null && end !== null && text !== null && start >= 1 && end >= start) {
    return [{ kind: 'lines', lines: { start, end }, text }]
  }
  return []
}
