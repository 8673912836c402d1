import type { CallToolResult } from '@modelcontextprotocol/server'
import { PalimpsestError } from '../core/errors.ts'
import type { McpParts } from './parts.ts'

/** A tool's result: the text, or why there is none. Never rejects. */
export async function answer(
  parts: Pick<McpParts, 'onFault'>,
  work: () => Promise<string>,
): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await work() }] }
  } catch (error) {
    return { content: [{ type: 'text', text: reasonOf(error, parts) }], isError: true }
  }
}

function reasonOf(error: unknown, { onFault }: Pick<McpParts, 'onFault'>): string {
  if (PalimpsestError.is(error)) return error.message
  onFault(error)
  return `a fault of palimpsest: ${error instanceof Error ? error.message : String(error)}`
}
