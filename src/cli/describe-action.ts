import type { Action, LineRange } from '../core/words/action.ts'
import { plural } from './figures.ts'

/** A tool call in a few words, for people. */
export function describeAction(tool: string, action: Action): string {
  switch (action.kind) {
    case 'read':
      return `read ${action.path}${action.lines === null ? '' : ` ${describeLines(action.lines)}`}`
    case 'write':
      return `write ${action.path} (${plural(action.content.split('\n').length, 'line')})`
    case 'edit':
      return `edit ${action.path} (${plural(action.edits.length, 'change')})`
    case 'patch':
      return `patch ${action.files.map((file) => file.path).join(', ')}`
    case 'shell':
      return action.continues
        ? 'wait for the command'
        : `$ ${action.command.trim().split('\n', 1)[0] ?? ''}`
    case 'search':
      return `search ${action.pattern}${action.path === null ? '' : ` in ${action.path}`}`
    case 'glob':
      return `find ${action.pattern}`
    case 'fetch':
      return `fetch ${action.url ?? action.query ?? ''}`
    case 'list': {
      const done = action.tasks.filter((task) => task.status === 'completed').length
      return action.op === 'read'
        ? 'look at the task list'
        : `task list: ${done} of ${action.tasks.length} done`
    }
    case 'task':
      return `task: ${action.description}`
    case 'other':
      return tool
  }
}

function describeLines({ start, end }: LineRange): string {
  return end === null ? `from line ${start}` : `lines ${start}–${end}`
}
