import { isShellTool } from '../actions/tools.ts'
import { restoreDescription, restoreInstruction } from '../agent/tool-definitions.ts'
import type { MessageDraft } from '../core/words/item.ts'
import { arrayOf, isJsonObject, parseJson } from '../core/words/json.ts'
import type { Body, BodyFormatName, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { offeredTools } from '../formats/offered-tools.ts'

const plainName = 'context_restore'
/** Clients put the server's name in front of it: `mcp__palimpsest__context_restore`, `palimpsest_context_restore`. */
const toolName = /^(?:.{0,99}[^A-Za-z0-9])?context_restore$/
/**
 * Clients with many tools list the names of some, one on each line, and define them when the model searches for them.
 * Another server may have a tool of the same name, so only the name that our own set-up gives counts.
 */
const listed = /^[ \t]*(mcp__palimpsest__context_restore)[ \t]*$/m
const searchesTools = /"defer_loading"|"tool_?search|deferred nested tools/i

interface RestoreCommand {
  /** The shell command that restores an original on this machine; null when there is none. */
  readonly command: string | null
  /** Whether the client runs on this machine. */
  readonly isLocal: boolean
}

/**
 * How the agent restores an original: with our tool, under the name that the client gives it, or with the command, where
 * the agent has a shell on this machine. null when it has neither.
 */
export function restoreWords(
  read: Pick<RequestRead<Body>, 'prefix' | 'messages'>,
  format: BodyFormatName,
  { command, isLocal }: RestoreCommand,
): string | null {
  const found = offeredTools(read).map((tools) => findTools(tools, format))
  const tool = found.find((each) => each.tool !== null)?.tool
  if (tool != null) return tool
  const hasShell = found.some((each) => each.hasShell)
  if (found.some(({ canSearch }) => canSearch)) {
    for (const message of read.messages) {
      const name = listedIn(message)
      if (name !== null) return name
    }
  }
  return isLocal && hasShell ? command : null
}

interface FoundTools {
  readonly tool: string | null
  /** Whether there are more tools, which the model has to search for. */
  readonly canSearch: boolean
  readonly hasShell: boolean
}

function findTools(tools: string, format: BodyFormatName): FoundTools {
  const value = parseJson(tools)
  // An item of the conversation that offers tools is one object.
  const list = isJsonObject(value) ? [value] : arrayOf(value)
  const defined = [...bodyFormats[format].wire.toolsIn(list)]
  const own = defined.find(
    ({ name, description }) => toolName.test(name) && description.includes(restoreDescription),
  )
  // A search tool may quote the instructions of each MCP server.
  const isDescribed = defined.some(
    ({ name, description }) => name === 'tool_search' && description.includes(restoreInstruction),
  )
  return {
    tool: own?.name ?? (isDescribed ? plainName : null),
    canSearch: searchesTools.test(tools),
    hasShell: defined.some(({ name }) => isShellTool(name)),
  }
}

function listedIn(message: MessageDraft): string | null {
  if (message.role === 'assistant') return null
  const texts = message.items.flatMap((item) =>
    item.kind === 'text' && item.text.includes(plainName) ? [item.text] : [],
  )
  // Codex 0.169 sends the instructions of each MCP server in a developer message.
  const isDescribed =
    message.role === 'developer' && texts.some((text) => text.includes(restoreInstruction))
  const names = texts.flatMap((text) => listed.exec(text)?.[1] ?? [])
  return names[0] ?? (isDescribed ? plainName : null)
}
