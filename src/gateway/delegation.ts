import type { Protection } from '../core/guard/guard.ts'
import type { Settings } from '../core/settings.ts'
import { isContextTool } from '../core/supersede/context-tools.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { asBuffer } from '../formats/json/document.ts'
import { isJsonObject } from '../formats/json-value.ts'
import type { ModelRoute } from './route.ts'

/** Clears of old results that are left to the provider (https://platform.claude.com/docs/en/build-with-claude/context-editing). */
export interface Delegation {
  /** null when the request is not to be touched. */
  clearsFor(request: DelegatedRequest): Clears | null
}

export interface Clears {
  /** What the request is to say about it, as JSON. */
  readonly json: string
  /** The upstream refused it: nothing more is delegated to it for this model. */
  refused(): void
}

export interface DelegatedRequest {
  readonly route: ModelRoute
  readonly upstream: string
  readonly model: string | null
  /** The model's context limit in tokens; null when unknown. */
  readonly contextLimit: number | null
  readonly read: RequestRead<Body>
}

/** Has to be among the values of `anthropic-beta`. */
export const clearingBeta = 'context-management-2025-06-27'
const member = 'context_management'
/** The provider's own defaults. */
const triggerTokens = 100_000
const leastKept = 3
/** A clear makes the provider cache everything after it again, so that it has to be worth it. */
const leastClearedShare = 0.2

/** null when the provider cannot be told everything that is protected. */
export function createDelegation(settings: Settings, protection: Protection): Delegation | null {
  if (!settings.enabled || settings.protectedFilePatterns.length > 0) return null
  const refusing = new Set<string>()
  return {
    clearsFor({ route, upstream, model, contextLimit, read }) {
      if (route.format !== 'anthropic' || refusing.has(`${upstream} ${model}`)) return null
      const { tools } = read.prefix
      // A client that manages its context itself is left alone. Inside a text, the quotes would be escaped.
      if (tools === '' || tools === '[]' || asBytes(read.source).includes(`"${member}"`))
        return null
      const trigger = Math.min(triggerTokens, Math.floor((contextLimit ?? Infinity) / 2))
      const excluded = toolNames(tools).filter((name) => protection.tool(name) || isLasting(name))
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

/** Task lists, results of sub-agents and restored originals stay useful for longer than other results. */
function isLasting(name: string): boolean {
  return (
    isContextTool(name) ||
    /^(todo_?(write|read)|task(_?(create|update|list|get))?|agent)$/i.test(name)
  )
}

function toolNames(tools: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(tools)
    const list: readonly unknown[] = Array.isArray(parsed) ? parsed : []
    return list.flatMap((tool) =>
      isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : [],
    )
  } catch {
    return []
  }
}
