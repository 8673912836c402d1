import type { Action } from './action.ts'

const contextTool = /(?:^|[^a-z])(context_(?:prune|info|restore))$/

export type ContextTool = 'context_prune' | 'context_info' | 'context_restore'

/** Which context tool this is, with or without an MCP server's prefix; null for any other tool. */
export function contextToolOf(tool: string): ContextTool | null {
  if (!tool.includes('_')) return null
  const name = contextTool.exec(tool.toLowerCase())?.[1]
  return name === undefined ? null : (name as ContextTool)
}

/** `palimpsest restore`, or the script that `serve` writes for it. */
const restoreCommand =
  /(?:^|[\s;&|/])palimpsest\s+restore\s|\/restore(?:-[0-9a-f]{6})?['"]?\s+[0-9a-f]{6,}/

/** The tool that a gateway offers its agents for handles that `/v1/compress` wrote as `hash=…`. */
const hashTool = /(?:^|[^a-z])headroom_retrieve$/i

/** True for a call that restores an original, by the tool or by the command. Its result stays in full. */
export function restoresOriginal(tool: string, action: Action | null | undefined): boolean {
  if (action?.kind === 'shell') {
    const { command } = action
    return restoreCommand.test(command) || isRestoreProgram(command)
  }
  return contextToolOf(tool) === 'context_restore' || hashTool.test(tool)
}

/** True for a Codex code-mode program that calls the restore tool, before or after it was parsed. */
function isRestoreProgram(command: string): boolean {
  if (!command.includes('context_restore')) return false
  return /^\w*__context_restore$/m.test(command) || /\bawait\s+tools\b/.test(command)
}

export function isContextTool(tool: string): boolean {
  return contextToolOf(tool) !== null
}

/** True for the tools by which an agent asks to prune its context: `context_prune`, or DCP's `compress`. */
export function isPruneTool(tool: string): boolean {
  return contextToolOf(tool) === 'context_prune' || /(?:^|[^a-z])compress$/i.test(tool)
}

/** The first line of the result of `context_prune`, which later identifies it. */
export const pruneAnswer = {
  write: (action: string, pruned: number, targets: number, freed: string): string =>
    `${action}: ${pruned} of ${targets} pruned, ~${freed} tokens freed`,
  writeNothing: (why: string): string => `Nothing was pruned: ${why}.`,
  /** True for the result of a call that pruned nothing. */
  isEmpty: (text: string): boolean => /^(?:\w+: 0 of \d+ pruned,|Nothing was pruned: )/.test(text),
}

/** The handle after `palimpsest restore` or the script that `serve` writes, options in between included. */
const commandHandle =
  /(?:(?:^|[\s;&|/])palimpsest\s+restore|\/restore(?:-[0-9a-f]{6})?['"]?)(?:\s+--\S+\s+\S+)*\s+['"]?([0-9a-f]{6,})\b/gi
/** The handle in the input of the tool, also inside a program or a string. */
const inputHandle = /\b(?:handle|hash)\\?["']?\s*[:=]\s*\\?["'`]([0-9a-f]{6,})\b/gi

/** The handles that a call restores. */
export function restoredHandles(
  { tool, text }: { readonly tool: string; readonly text: string },
  action: Action | null | undefined,
): readonly string[] {
  if (!restoresOriginal(tool, action)) return []
  const command = action?.kind === 'shell' ? action.command : ''
  const found = [...command.matchAll(commandHandle), ...text.matchAll(inputHandle)]
  return [...new Set(found.map(([, handle = '']) => handle.toLowerCase()))]
}
