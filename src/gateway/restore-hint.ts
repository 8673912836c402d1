const toolHint = /\bcontext_restore (?=[0-9a-f]{6,}\b)/g

/** Whether the client offers its model the tool that brings originals back, under whatever prefix. */
export function offersRestore(tools: string): boolean {
  return tools.includes('context_restore')
}

/**
 * How a rendition says where the original is, for a client without the tool: the command does the same. A rendition
 * that would become as long as what it replaces keeps its shorter words; the handle is in both.
 */
export function withCommandHint(text: string, original: string): string {
  const worded = text.replace(toolHint, 'palimpsest restore ')
  return worded.length < original.length ? worded : text
}
