import type { Action } from './action.ts'

const contextTool = /(?:^|[^a-z])(context_(?:prune|info|restore))$/

export type ContextTool = 'context_prune' | 'context_info' | 'context_restore'

/** Which of the agent's own context tools this is, with or without a server's name in front; null for any other tool. */
export function contextToolOf(tool: string): ContextTool | null {
  // Asked of every call.
  if (!tool.includes('_')) return null
  const name = contextTool.exec(tool.toLowerCase())?.[1]
  return name === undefined ? null : (name as ContextTool)
}

/** The command, or the script that `serve` writes for it. */
const restoreCommand =
  /(?:^|[\s;&|/])palimpsest\s+restore\s|\/restore(?:-[0-9a-f]{6})?['"]?\s+[0-9a-f]{6,}/

/** True for what was brought back on purpose, by a tool or by the command of the same name: it stays as it is. */
export function bringsBack(tool: string, action: Action | null | undefined): boolean {
  if (action?.kind === 'shell') {
    const { command } = action
    return restoreCommand.test(command) || isRestoreProgram(command)
  }
  return contextToolOf(tool) === 'context_restore'
}

/** A program of Codex's code mode that calls the tool: as it was understood, or as it stands. */
function isRestoreProgram(command: string): boolean {
  if (!command.includes('context_restore')) return false
  return /^\w*__context_restore$/m.test(command) || /\bawait\s+tools\b/.test(command)
}

export function isContextTool(tool: string): boolean {
  return contextToolOf(tool) !== null
}

/** The call by which an agent asks for its context to be pruned: ours, or DCP's `compress`. */
export function isPruneTool(tool: string): boolean {
  // Asked of every call too.
  if (tool.length < 'compress'.length) return false
  return contextToolOf(tool) === 'context_prune' || /(?:^|[^a-z])compress$/i.test(tool)
}
