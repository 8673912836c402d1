import type { Action, ShellChange } from './action.ts'
import { parseJson } from './json.ts'
import type { Operation } from './operation.ts'

const pathKeys = /^(?:(?:file|absolute|relative|target|notebook)?path|file(?:name|uri)?|uri)$/

const none: readonly string[] = []

/** Every file that an operation names. */
export function pathsOf(operation: Pick<Operation, 'action' | 'call'>): readonly string[] {
  const { action, call } = operation
  return action.kind === 'other' ? pathsOfInput(call.text) : pathsOfAction(action)
}

function pathsOfAction(action: Action): readonly string[] {
  switch (action.kind) {
    case 'read':
    case 'write':
    case 'edit':
      return [action.path]
    case 'search':
    case 'glob':
      return action.path === null ? none : [action.path]
    case 'patch':
      return action.files.flatMap((file) =>
        file.op === 'update' && file.movedTo !== null ? [file.path, file.movedTo] : [file.path],
      )
    case 'shell':
      // Most commands name none, and every strategy and the guard ask.
      if (action.reads.length === 0 && action.changes.length === 0) return none
      return [...action.reads.map((read) => read.path), ...action.changes.flatMap(pathsOfChange)]
    default:
      return none
  }
}

/** Every file that a part of a command changes, takes or leaves. */
export function pathsOfChange(change: ShellChange): readonly string[] {
  switch (change.kind) {
    case 'unknown':
      return []
    case 'patch':
      return pathsOfAction(change)
    case 'move':
    case 'copy':
      return [change.path, change.to]
    default:
      return [change.path]
  }
}

/** Of a tool that nothing is known about, the members of its input that have a path's name. */
function pathsOfInput(text: string): readonly string[] {
  const input = parseJson(text)
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === 'string' && pathKeys.test(key.toLowerCase().replaceAll(/[^a-z]/g, ''))
      ? [value]
      : [],
  )
}
