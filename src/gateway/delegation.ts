import type { Protection } from '../core/guard/guard.ts'
import { isContextTool } from '../core/words/context-tools.ts'
import { arrayOf, isJsonObject, parseJson } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { asBuffer } from '../formats/json/document.ts'
import type { ModelRoute } from './route.ts'

/** Clears of old results that are left to the provider (https://platform.claude.com/docs/en/build-with-claude/context-editing). */
export interface Delegation {
  /** null when the request is not to be touched. */
  clearsFor(request: DelegatedRequest): Clears | null
}

export interface Clears {
  /** What the request is to say about it, as JSON. */
  readonly json: string
  /** The upstream would not have it: nothing more is delegated to it for this model. */
  refused(): void
}

export interface DelegatedRequest {
  readonly route: ModelRoute
  readonly upstream: string
  readonly model: string | null
  /** Tokens that the model's context holds; null when that is not known. */
  readonly contextLimit: number | null
  readonly read: RequestRead<Body>
}

/** Has to be among the values of `anthropic-beta`. */
export const clearingBeta = 'context-management-2025-06-27'
const member = 'context_management'
/** The provider's own defaults. */
const triggerTokens = 100_000
const leastKept = 3
/** A clear makes the provider cache everything behind it again, so that it has to be worth it. */
const leastClearedShare = 0.2
const mostTools = 32

/** Null when the provider could not be told of all that is protected. */
export function createDelegation(settings: Settings, protection: Protection): Delegation | null {
  if (!settings.enabled || settings.protectedFilePatterns.length > 0) return null
  const refusing = new Set<string>()
  const excludedIn = remembered((tools) =>
    toolNames(tools).filter((name) => protection.tool(name) || isLasting(name)),
  )
  return {
    clearsFor({ route, upstream, model, contextLimit, read }) {
      if (route.format !== 'anthropic' || refusing.has(`${upstream} ${model}`)) return null
      const { tools } = read.prefix
      // What the client says about it is the client's business. Inside a text, the quotes would be escaped.
      if (tools === '' || tools === '[]' || asBytes(read.source).includes(`"${member}"`))
        return null
      const trigger = Math.min(triggerTokens, Math.floor((contextLimit ?? Infinity) / 2))
      const excluded = excludedIn(tools)
      const edit = {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: trigger },
        keep: { type: 'tool_uses', value: Math.max(leastKept, settings.turnProtection) },
        clear_at_least: {
          type: 'input_tokens',
          value: Math.floor(trigger * leastClearedShare),
        },
        ...(excluded.length === 0 ? {} : { exclude_tools: excluded }),
      }
      return {
        json: JSON.stringify({ edits: [edit] }),
        refused: () => void refusing.add(`${upstream} ${model}`),
      }
    },
  }
}

/** The body with one more member at its end; all before it stays byte for byte. */
export function withClears(body: Body, { json }: Clears): Buffer {
  const bytes = asBytes(body)
  const end = bytes.lastIndexOf('}')
  const added = Buffer.from(`,"${member}":${json}`)
  return Buffer.concat([bytes.subarray(0, end), added, bytes.subarray(end)])
}

function asBytes(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : asBuffer(body)
}

/** Task lists, what sub-agents found, and what was brought back on purpose hold for longer than other results. */
function isLasting(name: string): boolean {
  return (
    isContextTool(name) ||
    /^(todo_?(write|read)|task(_?(create|update|list|get))?|agent)$/i.test(name)
  )
}

function toolNames(tools: string): readonly string[] {
  return arrayOf(parseJson(tools)).flatMap((tool) =>
    isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : [],
  )
}

/** The tools are the same in nearly all requests of a client. */
function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= mostTools) known.clear()
    const result = work(text)
    known.set(text, result)
    return result
  }
}
