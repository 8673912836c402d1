import type { Action, LineRange } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import { cutEnd, cutWords, oneLine } from './cut.ts'
import { pathAsWritten } from './path-as-written.ts'

const commandLimit = 80
const urlLimit = 300

/**
 * What an operation was about, in a few words on one line.
 *
 * ```ts
 * describeOperation(operation) // 'read src/app.ts lines 1–120'
 * ```
 */
export function describeOperation(operation: Operation): string {
  const { action, call } = operation
  const written = (path: string): string => pathAsWritten(path, call.text)
  switch (action.kind) {
    case 'read':
      return `read ${fileName(written(action.path))}${linesOf(operation, action.lines)}`
    case 'write':
    case 'edit':
      return `${action.kind} ${fileName(written(action.path))}`
    case 'patch':
      return `patch ${severalPaths(action.files.map((file) => written(file.path)))}`
    case 'shell':
      return action.continues ? 'command output' : `$ ${shortCommand(action.command)}`
    case 'search':
      return `search ${shortCommand(action.pattern)}${inFolder(action.path ?? action.include, written)}`
    case 'glob':
      return isListing(action)
        ? `list ${written(action.path ?? '.')}`
        : `find ${shortCommand(action.pattern)}${inFolder(action.path, written)}`
    case 'fetch':
      return action.url === null
        ? `web search ${shortCommand(action.query ?? '')}`
        : `fetch ${cutEnd(oneLine(action.url), urlLimit)}`
    case 'list':
      return 'task list'
    case 'task':
      return `task ${cutEnd(oneLine(action.description), commandLimit)}`.trimEnd()
    case 'other':
      return toolName(operation)
  }
}

/** The call as a pointer names it: a command in its own words, any other call as it is described elsewhere. */
export function nameCall(operation: Operation): string {
  const { action } = operation
  if (action.kind === 'shell' && !action.continues) return shortCommand(action.command)
  return describeOperation(operation)
}

/** The file of a read as the agent wrote it; the given path when the call names it in no other way. */
export function writtenPath({ action, call }: Operation, path: string): string {
  return action.kind === 'read' || action.kind === 'shell' ? pathAsWritten(path, call.text) : path
}

/** The kind of an operation in one or two words. */
export function nameOperation(operation: Operation): string {
  const { action } = operation
  switch (action.kind) {
    case 'shell':
      return 'command'
    case 'glob':
      return isListing(action) ? 'listing' : 'file search'
    case 'list':
      return 'task list'
    case 'other':
      return toolName(operation)
    default:
      return action.kind
  }
}

/** True for the listing of a folder, which is parsed as a search for all files in it. */
export function isListing(action: Action & { readonly kind: 'glob' }): boolean {
  return action.pattern === '*' || action.pattern === '**'
}

/** Some tools change the open file without naming it. */
function fileName(path: string): string {
  return path || 'the open file'
}

/** Cut between words, so that no path in it is cut. */
function shortCommand(command: string): string {
  return cutWords(oneLine(command), commandLimit)
}

function toolName({ call }: Operation): string {
  return cutEnd(oneLine(call.tool), commandLimit) || 'tool call'
}

function inFolder(path: string | null, written: (path: string) => string): string {
  return path === null || path === '' ? '' : ` in ${written(path)}`
}

function severalPaths(paths: readonly string[]): string {
  const [first = 'nothing', ...others] = paths
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

/** The shown lines, or else the requested ones: agents may show fewer lines than requested. */
function linesOf({ reading, status }: Operation, asked: LineRange | null): string {
  const shown = status === 'ok' ? reading?.lines : null
  if (shown !== null && shown !== undefined && shown.lines.length > 0) {
    return range(shown.first, shown.first + shown.lines.length - 1)
  }
  if (asked === null) return ''
  return asked.end === null ? ` from line ${asked.start}` : range(asked.start, asked.end)
}

function range(first: number, last: number): string {
  return first === last ? ` line ${first}` : ` lines ${first}–${last}`
}
