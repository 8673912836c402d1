import type { Protection } from '../core/guard/guard.ts'
import type { Settings } from '../core/settings.ts'
import { isContextTool } from '../core/supersede/context-tools.ts'
import { arrayOf, isJsonObject, parseJson } from '../core/words/json.ts'
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
      const { clearing } = bodyFormats[route.format].wire
      if (clearing === null || refusing.has(`${upstream} ${model}`)) return null
      const { tools } = read.prefix
      // What the client says about it is the client's business. Inside a text, the quotes would be escaped.
      if (tools === '' || tools === '[]' || asBytes(read.source).includes(`"${clearing.member}"`))
        return null
      const { member, header, defaultTriggerTokens, defaultKeptResults } = clearing
      const halfContext = Math.floor((contextLimit ?? Infinity) / 2)
      const triggerTokens = Math.min(defaultTriggerTokens, halfContext)
      const instruction = clearing.instruction({
        triggerTokens,
        keptResults: Math.max(defaultKeptResults, settings.turnProtection),
        leastTokens: Math.floor(triggerTokens * leastClearedShare),
        excludedTools: excludedIn(tools),
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
