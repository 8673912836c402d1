import { restoreInstruction } from '../agent/tool-definitions.ts'
import type { MessageDraft } from '../core/record/item.ts'
import { remembered } from '../core/remembered.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { isJsonObject } from '../formats/json-value.ts'

/** The tool that brings originals back, as a client calls it. */
export interface RestoreTool {
  readonly name: string
  /** The message from which on the model knows of it. */
  readonly from: number
}

const toolHint = /\bcontext_restore (?=[0-9a-f]{6,}\b)/g
const plainName = 'context_restore'
/** Clients put the server's name before it: `mcp__palimpsest__context_restore`, `palimpsest_context_restore`. */
const toolName = /^(?:.{0,99}[^A-Za-z0-9])?context_restore$/
/** Clients with many tools name some of them in a list, a line each, and define them when they are looked for. */
const listed = /^[ \t]*([\w.-]{0,100}context_restore)[ \t]*$/m
const looksForTools = /"defer_loading"|"tool_?search/i

/**
 * The tool under the name that the client gives it (`mcp__palimpsest__context_restore`), or null when its model has none.
 * What a message said of it holds from there on, so that nothing before it is worded anew.
 */
export function restoreToolIn({
  prefix: { tools },
  messages,
}: Pick<RequestRead<Body>, 'prefix' | 'messages'>): RestoreTool | null {
  if (looksForTools.test(tools)) {
    for (const [from, message] of messages.entries()) {
      const name = nameIn(message)
      if (name !== null) return { name, from }
    }
  }
  const name = nameAmong(tools)
  return name === null ? null : { name, from: 0 }
}

/** Clients send the same definitions with every request, which may be long. */
const nameAmong = remembered(
  (tools) => (tools.includes(plainName) ? nameDefinedIn(parsed(tools)) : null),
  { most: 8, longest: Number.POSITIVE_INFINITY },
)

function nameDefinedIn(tools: unknown): string | null {
  const name = namesOf(tools).find((each) => toolName.test(each))
  return name ?? (isToldOf(tools) ? plainName : null)
}

function parsed(tools: string): unknown {
  try {
    return JSON.parse(tools)
  } catch {
    return null
  }
}

/** Codex defines tools when they are looked for, and says of each server what that says of itself. */
function isToldOf(tools: unknown): boolean {
  if (!Array.isArray(tools)) return false
  return tools.some((tool: unknown) => {
    if (!isJsonObject(tool) || tool.type !== 'tool_search') return false
    return typeof tool.description === 'string' && tool.description.includes(restoreInstruction)
  })
}

/** The names of tools alone, in every provider's shape: what they say of themselves may mention others. */
function namesOf(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: unknown): readonly string[] => {
    if (!isJsonObject(tool)) return []
    const { name, function: called, tools: inside } = tool
    const declared = tool.functionDeclarations ?? tool.function_declarations
    const own = [name, isJsonObject(called) ? called.name : null]
    return [
      ...own.filter((each) => typeof each === 'string'),
      ...namesOf(inside),
      ...namesOf(declared),
    ]
  })
}

function nameIn({ role, items }: MessageDraft): string | null {
  if (role === 'assistant') return null
  for (const item of items) {
    if (item.kind !== 'text' || !item.text.includes(plainName)) continue
    const name = listed.exec(item.text)?.[1]
    if (name !== undefined) return name
    // Codex 0.169 says in a message of its own what each server says of itself.
    if (role === 'developer' && item.text.includes(restoreInstruction)) return plainName
  }
  return null
}

export function isSameTool(one: RestoreTool | null, other: RestoreTool | null): boolean {
  return one?.name === other?.name && one?.from === other?.from
}

/**
 * How a rendition says where the original is: by the client's tool, or else by the command that does the same. What would
 * become as long as what it replaces says it in fewer words; the handle is in all of them.
 */
export function withHint(text: string, original: string, tool: string | null): string {
  const worded = text.replace(toolHint, `${tool ?? 'palimpsest restore'} `)
  return worded.length < original.length ? worded : text.replace(toolHint, 'restore ')
}
