import type { Action } from '../core/words/action.ts'
import type { Fields } from './call-input.ts'
import { editCall, readCall, writeCall } from './file-calls.ts'
import { looksLikePatch, parsePatch } from './patch.ts'
import { fetchCall, globCall, searchCall, webSearchCall } from './search-calls.ts'
import { shellCall } from './shell-calls.ts'
import { listWriteCall, subagentCall } from './task-calls.ts'

/** Reads an unknown tool by the words in its name and the shape of its input. */
export function actionByShape(words: ReadonlySet<string>, fields: Fields): Action | null {
  const has = (...any: readonly string[]): boolean => any.some((word) => words.has(word))
  const patch = fields.text('patchtext', 'patch', 'diff', 'input')
  if (patch !== null && has('patch', 'diff', 'apply') && looksLikePatch(patch)) {
    return { kind: 'patch', files: parsePatch(patch) }
  }
  const file = has('file', 'files', 'document', 'text', 'code', 'notebook', 'source')
  if (has('edit', 'replace', 'modify', 'change', 'update', 'multiedit') || file) {
    const edit = editCall(fields)
    if (edit !== null) return edit
  }
  if (has('write', 'create', 'save', 'overwrite', 'put') && !has('dir', 'directory', 'folder')) {
    const write = writeCall(fields)
    if (write !== null) return write
  }
  if (has('read', 'view', 'open', 'cat') || (file && has('get', 'show', 'load', 'fetch'))) {
    const read = fields.has('url') ? null : readCall(fields)
    if (read !== null) return read
  }
  if (has('bash', 'shell', 'exec', 'execute', 'command', 'terminal', 'cmd', 'run')) {
    const shell = shellCall(fields)
    if (shell !== null) return shell
  }
  if (has('web', 'internet', 'google', 'online') && has('search')) return webSearchCall(fields)
  if (has('fetch', 'url', 'http', 'browse', 'webpage', 'web', 'navigate') && fields.has('url')) {
    return fetchCall(fields)
  }
  if (has('glob') || (has('find', 'list') && has('file', 'files'))) {
    const glob = globCall(fields)
    if (glob !== null) return glob
  }
  if (has('grep', 'ripgrep', 'rg') || (has('search') && fields.has('pattern', 'regex'))) {
    return searchCall(fields)
  }
  if (has('todo', 'todos', 'plan', 'checklist')) return listWriteCall(fields)
  if (has('subagent', 'agent', 'delegate')) return subagentCall(fields)
  return null
}
