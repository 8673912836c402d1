import type { ActionKind } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'

/** What the tools of the built-in list do: other agents have tools of other names for it. */
const named: Readonly<Partial<Record<ActionKind, readonly string[]>>> = {
  list: ['todowrite', 'todoread'],
  task: ['task'],
  write: ['write'],
  edit: ['edit'],
  patch: ['edit', 'write'],
}

/** What a server's or a provider's namespace puts before the name. */
const namespace = /^.*(?:__|[.:/])(?=.)/

/**
 * True for an operation that the agent may not discard: by its tool's name, in any case and whoever offers it, or by what
 * it does.
 */
export function isKeptFromAgent(
  { call, action }: Pick<Operation, 'call' | 'action'>,
  { agentProtectedTools }: Pick<Settings, 'agentProtectedTools'>,
): boolean {
  const tool = call.tool.toLowerCase()
  const bare = tool.replace(namespace, '')
  const alike = named[action.kind]
  return agentProtectedTools.some((each) => {
    const name = each.toLowerCase()
    return name === tool || name === bare || alike?.includes(name) === true
  })
}
