import type { ActionKind } from '../words/action.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'

/** The tools of the built-in list by action, because other agents name their tools differently. */
const listedNames: Readonly<Partial<Record<ActionKind, readonly string[]>>> = {
  list: ['todowrite', 'todoread'],
  task: ['task'],
  write: ['write'],
  edit: ['edit'],
  patch: ['edit', 'write'],
}

/** The namespace that a server or provider adds before a tool's name. */
const namespace = /^.*(?:__|[.:/])(?=.)/

/** True for an operation that the agent may not discard, by its tool's name or its action. */
export function isProtectedFromAgent(
  { call, action }: Pick<Operation, 'call' | 'action'>,
  { agentProtectedTools }: Pick<Settings, 'agentProtectedTools'>,
): boolean {
  const tool = call.tool.toLowerCase()
  const bare = tool.replace(namespace, '')
  const equivalents = listedNames[action.kind]
  return agentProtectedTools.some((each) => {
    const name = each.toLowerCase()
    return name === tool || name === bare || equivalents?.includes(name) === true
  })
}
