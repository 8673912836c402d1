import { isShellTool } from '../actions/tools.ts'
import { restoreDescription, restoreInstruction } from '../agent/tool-definitions.ts'
import { remembered } from '../core/render/remembered.ts'
import type { MessageDraft } from '../core/words/item.ts'
import { isJsonObject, parseJson } from '../core/words/json.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { offeredTools } from '../formats/offered-tools.ts'

const plainName = 'context_restore'
/** Clients put the server's name before it: `mcp__palimpsest__context_restore`, `palimpsest_context_restore`. */
const toolName = /^(?:.{0,99}[^A-Za-z0-9])?context_restore$/
/**
 * Clients with many tools name some of them in a list, a line each, and define them when they are looked for. A name alone
 * says nothing but its server, so that only the one counts that our own set-up gives it.
 */
const listed = /^[ \t]*(mcp__palimpsest__context_restore)[ \t]*$/m
const looksForTools = /"defer_loading"|"tool_?search|deferred nested tools/i

interface RestoreCommand {
  /** Brings an original back in a shell on this machine; null where there is none. */
  readonly command: string | null
  /** Whether the client is on this machine. */
  readonly isLocal: boolean
}

/**
 * What brings originals back for this client: our tool under the name that the client gives it, or else the command,
 * where its agent has a shell on this machine. null when its agent has neither.
 */
export function restoreWords(
  read: Pick<RequestRead<Body>, 'prefix' | 'messages'>,
  { command, isLocal }: RestoreCommand,
): string | null {
  const found = offeredTools(read).map(foundAmong)
  const tool = found.find((each) => each.tool !== null)?.tool
  if (tool != null) return tool
  const hasShell = found.some((each) => each.hasShell)
  if (found.some((each) => each.looksForMore)) {
    for (const message of read.messages) {
      const name = listedIn(message)
      if (name !== null) return name
    }
  }
  return isLocal && hasShell ? command : null
}

interface FoundTools {
  readonly tool: string | null
  /** Whether there are tools that it has to look for. */
  readonly looksForMore: boolean
  readonly hasShell: boolean
}

/** Clients send the same definitions with every request, which may be long. */
const foundAmong = remembered(findTools, { most: 8, longest: Number.POSITIVE_INFINITY })

function findTools(tools: string): FoundTools {
  const value = parseJson(tools)
  const defined = [...definitionsIn(Array.isArray(value) ? value : [value])]
  const own = defined.find(
    ({ name, description }) => toolName.test(name) && description.includes(restoreDescription),
  )
  const isTold = defined.some(
    ({ name, description }) => name === 'tool_search' && description.includes(restoreInstruction),
  )
  return {
    tool: own?.name ?? (isTold ? plainName : null),
    looksForMore: looksForTools.test(tools),
    hasShell: defined.some(({ name }) => isShellTool(name)),
  }
}

interface Definition {
  readonly name: string
  readonly description: string
}

/**
 * What tools are called and say of themselves, in every provider's shape. A tool of the provider's own kind has no name but
 * its type; Codex's `tool_search` says of each server what that says of itself.
 */
function* definitionsIn(tools: unknown): Generator<Definition> {
  if (!Array.isArray(tools)) return
  for (const tool of tools as readonly unknown[]) {
    if (!isJsonObject(tool)) continue
    const { function: called, tools: inside } = tool
    const own = isJsonObject(called) ? called : tool
    const name = own.name ?? (tool.type === 'function' ? null : tool.type)
    const description = typeof own.description === 'string' ? own.description : ''
    if (typeof name === 'string') yield { name, description }
    yield* definitionsIn(inside)
    yield* definitionsIn(tool.functionDeclarations ?? tool.function_declarations)
  }
}

/** Messages of earlier requests are the same objects again. */
const listings = new WeakMap<MessageDraft, string | null>()

function listedIn(message: MessageDraft): string | null {
  if (message.role === 'assistant') return null
  const known = listings.get(message)
  if (known !== undefined) return known
  const texts = message.items.flatMap((item) =>
    item.kind === 'text' && item.text.includes(plainName) ? [item.text] : [],
  )
  // Codex 0.169 says in a message of its own what each server says of itself.
  const isTold =
    message.role === 'developer' && texts.some((text) => text.includes(restoreInstruction))
  const name =
    texts.flatMap((text) => listed.exec(text)?.[1] ?? [])[0] ?? (isTold ? plainName : null)
  listings.set(message, name)
  return name
}
