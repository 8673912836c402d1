import type { Action } from '../core/words/action.ts'
import { isJsonObject, parseJson } from '../core/words/json.ts'
import { withoutTrailing } from '../core/words/text.ts'
import { type Fields, fieldsOf } from './call-input.ts'

const folderKeys = ['path', 'dirpath', 'directory', 'dir', 'filepath', 'searchpath', 'root', 'cwd']

export function searchCall(fields: Fields): Action | null {
  const pattern =
    fields.text('pattern', 'regex', 'query', 'searchterm', 'searchpattern') ?? queriesOf(fields)
  if (pattern === null) return null
  return { kind: 'search', pattern, path: folderOf(fields), include: includeOf(fields) }
}

/** The files to search. Claude Code and Copilot accept a file type in addition to a glob or alone. */
function includeOf(fields: Fields): string | null {
  const glob = fields.text('include', 'includepattern', 'glob', 'filepattern', 'fileglob')
  const type = fields.text('type', 'filetype')
  if (type === null || type === '') return glob
  return glob === null ? `type:${type}` : `${glob} type:${type}`
}

/** `search_files` searches file names in one MCP server and file contents in other agents. */
export function searchFilesCall(fields: Fields): Action | null {
  return fields.has('regex') ? searchCall(fields) : globCall(fields)
}

export function globCall(fields: Fields): Action | null {
  const pattern = fields.text('pattern', 'globpattern', 'glob', 'filename', 'name', 'query')
  return pattern === null ? null : { kind: 'glob', pattern, path: folderOf(fields) }
}

/** A directory listing is a glob over everything in the folder. */
export function listFolderCall(fields: Fields): Action {
  return { kind: 'glob', pattern: '*', path: folderOf(fields) }
}

export function listTreeCall(fields: Fields): Action {
  return { kind: 'glob', pattern: '**', path: folderOf(fields) }
}

export function fetchCall(fields: Fields): Action | null {
  const url = fields.text('url', 'uri', 'href') ?? urlIn(fields.list('urls'))
  if (url !== null && url !== '') return { kind: 'fetch', url, query: null }
  // Gemini CLI has the URLs inside the prompt.
  const prompt = fields.text('prompt')
  const named = prompt === null ? null : /https?:\/\/[^\s<>"')\]]+/.exec(prompt)
  if (named !== null) {
    // Punctuation after a URL belongs to the sentence.
    return { kind: 'fetch', url: withoutTrailing(named[0], '.,;:!?'), query: null }
  }
  return prompt === null ? null : { kind: 'fetch', url: null, query: prompt }
}

/** Cline fetches several pages with one call. */
export function fetchPagesCall(fields: Fields): Action | null {
  const pages = fields.list('requests') ?? []
  const [only] = pages
  return pages.length === 1 && isJsonObject(only) ? fetchCall(fieldsOf(only)) : null
}

export function webSearchCall(fields: Fields): Action | null {
  const source = fields.record('action') ?? fields
  const page = source.text('url')
  if (page !== null) return { kind: 'fetch', url: page, query: null }
  const query = source.text('query', 'searchquery', 'searchterm', 'q') ?? queriesOf(source)
  return query === null ? null : { kind: 'fetch', url: null, query }
}

function queriesOf(fields: Fields): string | null {
  const queries = fields.list('queries', 'searchquery')?.filter((query) => query !== '')
  if (queries === undefined || queries.length === 0) return null
  const words = queries.map((query) => (typeof query === 'string' ? query : JSON.stringify(query)))
  return words.join('\n')
}

function urlIn(urls: readonly unknown[] | null): string | null {
  const first = urls?.[0]
  return typeof first === 'string' ? first : null
}

function folderOf(fields: Fields): string | null {
  const path = fields.text(...folderKeys)
  if (path === null || path === '' || path === 'undefined' || path === 'null') return null
  if (!path.startsWith('[')) return path
  const listed = parseJson(path)
  return Array.isArray(listed) && typeof listed[0] === 'string' ? listed[0] : path
}
