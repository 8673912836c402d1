import type { JsonObject } from '../../src/core/words/json.ts'
import { searchedTool } from './code-mode.ts'
import { type PlannedCall, shellCall } from './operations.ts'
import type { PromptBlock } from './prompt.ts'
import type { OfferedTools } from './tools.ts'

const placeholder =
  /([\w.]*context_restore|\/\S*\/restore[-\w]*|'[^'\n]*\/restore[-\w]*') ([0-9a-f]{6,})\b/

function isResult(block: JsonObject, role: string): boolean {
  return role === 'tool' || /result|output/.test(String(block.type)) || 'functionResponse' in block
}

/** Does what the first placeholder among a request's results says; a tool that is not loaded yet is asked for first. */
export function restoreCall(
  blocks: readonly PromptBlock[],
  tools: OfferedTools,
): readonly PlannedCall[] {
  const results = blocks.filter(({ section, block, role }) => {
    return section === 'messages' && isResult(block, role)
  })
  const found = results.flatMap(({ text }) => placeholder.exec(text) ?? [])
  const [, name, handle] = found
  if (name === undefined || handle === undefined) return []
  if (name.includes('/')) return [shellCall(tools, `${name} ${handle}`)]
  if (tools.has(name)) return [{ name, input: { handle } }]
  const within = [...tools.values()].find((tool) => tool.within !== undefined)?.within
  if (within !== undefined) return [{ name: within, input: searchedTool(name, { handle }) }]
  return [
    tools.has('tool_search')
      ? { name: 'tool_search', input: { query: name, limit: 1 } }
      : { name: 'ToolSearch', input: { query: `select:${name}`, max_results: 1 } },
  ]
}
