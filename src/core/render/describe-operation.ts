import type { Action, LineRange } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import { cutEnd, cutMiddle, oneLine } from './cut.ts'

const pathLimit = 60
const commandLimit = 60

/**
 * What an operation was about, in a few words on one line.
 *
 * ```ts
 * describeOperation(operation) // 'read src/app.ts lines 1–120'
 * ```
 */
export function describeOperation(operation: Operation): string {
  const { action } = operation
  switch (action.kind) {
    case 'read':
      return `read ${fileName(action.path)}${linesOf(operation, action.lines)}`
    case 'write':
    case 'edit':
      return `${action.kind} ${fileName(action.path)}`
    case 'patch':
      return `patch ${severalPaths(action.files.map((file) => file.path))}`
    case 'shell':
      return action.continues ? 'command output' : `$ ${shortCommand(action.command)}`
    case 'search':
      return `search ${shortCommand(action.pattern)}${inFolder(action.path ?? action.include)}`
    case 'glob':
      return isListing(action)
        ? `list ${shortPath(action.path ?? '.')}`
        : `find ${shortCommand(action.pattern)}${inFolder(action.path)}`
    case 'fetch':
      return action.url === null
        ? `web search ${shortCommand(action.query ?? '')}`
        : `fetch ${cutMiddle(oneLine(action.url), pathLimit)}`
    case 'list':
      return 'task list'
    case 'task':
      return `task ${cutEnd(oneLine(action.description), commandLimit)}`.trimEnd()
    case 'other':
      return toolName(operation)
  }
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

export function shortPath(path: string): string {
  return cutMiddle(oneLine(path), pathLimit)
}

/** True for the listing of a folder, which is parsed as a search for all files in it. */
export function isListing(action: Action & { readonly kind: 'glob' }): boolean {
  return action.pattern === '*' || action.pattern === '**'
}

/** Some tools change the open file without naming it. */
function fileName(path: string): string {
  return shortPath(path) || 'the open file'
}

function shortCommand(command: string): string {
  return cutMiddle(oneLine(command), commandLimit)
}

function toolName({ call }: Operation): string {
  return cutMiddle(oneLine(call.tool), commandLimit) || 'tool call'
}

function inFolder(path: string | null): string {
  return path === null || path === '' ? '' : ` in ${shortPath(path)}`
}

function severalPaths(paths: readonly string[]): string {
  const [first = 'nothing', ...others] = paths
  return others.length === 0 ? shortPath(first) : `${shortPath(first)} and ${others.length} more`
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
