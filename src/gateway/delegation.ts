import type { Protection } from '../core/guard/guard.ts'
import { isContextTool } from '../core/words/context-tools.ts'
import { arrayOf, isJsonObject, parseJson } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Body, RequestRead } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { asBuffer } from '../formats/json/document.ts'
import type { ModelRoute } from './route.ts'

/** Leaves the clearing of old results to a provider that can do it. */
export interface Delegation {
  /** null when the request is not to be touched. */
  clearsFor(request: DelegatedRequest): Clears | null
}

export interface Clears {
  /** The member of the body that asks for it, and its value as JSON. */
  readonly member: string
  readonly json: string
  /** The header that it needs. */
  readonly header: readonly [name: string, value: string]
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

/** The provider must cache everything after a clear again, so small clears are not worth it. */
const leastClearedShare = 0.2

/** null when pruning is off, or when the protected files cannot be expressed in the provider's terms. */
export function createDelegation(settings: Settings, protection: Protection): Delegation | null {
  if (!settings.enabled || settings.protectedFilePatterns.length > 0) return null
  const refusing = new Set<string>()
  return {
    clearsFor({ route, upstream, model, contextLimit, read }) {
      const { clearing } = bodyFormats[route.format].wire
      if (clearing === null || refusing.has(`${upstream} ${model}`)) return null
      const { tools } = read.prefix
      // A client that manages its context itself is left alone. Inside a text, the quotes would be escaped.
      if (tools === '' || tools === '[]' || asBytes(read.source).includes(`"${clearing.member}"`))
        return null
      const { member, header, defaultTriggerTokens, defaultKeptResults } = clearing
      const halfContext = Math.floor((contextLimit ?? Infinity) / 2)
      const triggerTokens = Math.min(defaultTriggerTokens, halfContext)
      const excludedTools = toolNames(tools).filter(
        (name) => protection.tool(name) || isLasting(name),
      )
      const instruction = clearing.instruction({
        triggerTokens,
        keptResults: Math.max(defaultKeptResults, settings.turnProtection),
        leastTokens: Math.floor(triggerTokens * leastClearedShare),
        excludedTools,
      })
      return {
        member,
        json: JSON.stringify(instruction),
        header,
        refused: () => void refusing.add(`${upstream} ${model}`),
      }
    },
  }
}

/** The body with one more member at its end; all before it stays byte for byte. */
export function withClears(body: Body, { member, json }: Clears): Buffer {
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
  return arrayOf(parseJson(tools)).flatMap((tool) =>
    isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : [],
  )
}
