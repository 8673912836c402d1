import type { Billing } from '../report/request-receipt.ts'
import type { Headers } from './wire.ts'

/** What a request shows about the program that sent it, and how its user pays. */
export interface ClientFacts {
  /** The agent, or else the first product of its `User-Agent`; null when it names none. */
  readonly agent: string | null
  readonly billing: Billing | null
}

/** The agents that we know, by what their `User-Agent` contains. The first match counts. */
const agents: readonly (readonly [pattern: RegExp, agent: string])[] = [
  [/\bclaude-(?:cli|code)\b/i, 'claude-code'],
  [/\bopencode\b/i, 'opencode'],
  [/\bcodex/i, 'codex'],
  [/\bgemini-?cli\b/i, 'gemini-cli'],
  [/copilot/i, 'copilot-cli'],
  [/\bqwen-?code\b/i, 'qwen-code'],
  [/\bpi(?:-coding-agent)?\//i, 'pi'],
]

export function clientFacts(headers: Headers, url: string): ClientFacts {
  return { agent: agentIn(headers, url), billing: billingIn(headers, url) }
}

function agentIn(headers: Headers, url: string): string | null {
  const named = String(headers['user-agent'] ?? '')
  const originator = headers.originator
  const said = `${named} ${typeof originator === 'string' ? originator : ''}`
  const known = agents.find(([pattern]) => pattern.test(said))?.[1]
  if (known !== undefined) return known
  // Cline sends only the name of its SDK, so `run` and `init` give it addresses with this prefix.
  if (/^\/cline-/.test(url)) return 'cline'
  // So does Continue.
  if (/^\/continue-/.test(url)) return 'continue'
  // With a provider of the user's own, Copilot CLI sends the name of the SDK, and this header.
  if (headers['x-initiator'] !== undefined) return 'copilot-cli'
  const product = /^[A-Za-z][\w.@-]{0,39}/.exec(named)?.[0]
  return product === undefined ? null : product.toLowerCase()
}

/**
 * A key of an account that pays by token has its own header or a known form. A login with a subscription sends a token of
 * OAuth: Claude's begins with `sk-ant-oat`, ChatGPT names the account, Google's begins with `ya29.`, GitHub's with `gh`
 * or names its terms. null when the request shows neither, as with a local model.
 */
function billingIn(headers: Headers, url: string): Billing | null {
  if (headers['chatgpt-account-id'] !== undefined) return 'subscription'
  const bearer = /^bearer\s+(\S+)/i.exec(String(headers.authorization ?? ''))?.[1]
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers['api-key'] ?? bearer
  if (typeof key !== 'string' || key === '') return /[?&]key=[^&#]/.test(url) ? 'tokens' : null
  if (/^(?:sk-ant-oat|ya29\.|gh[oupsr]_|tid=|eyJ)/.test(key)) return 'subscription'
  const isOauth = String(headers['anthropic-beta'] ?? '').includes('oauth-')
  return isOauth && key === bearer ? 'subscription' : 'tokens'
}

/** How much of a subscription's limits is used, from 0 to 1, by the name of the window, such as `5h`. */
export type LimitShares = Readonly<Record<string, number>>

/** What an answer's headers say about the limits of a subscription; null when they say nothing. */
export function limitsIn(headers: Headers): LimitShares | null {
  const shares: Record<string, number> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') continue
    const unified = /^anthropic-ratelimit-unified-(\w+)-utilization$/.exec(name)?.[1]
    const codex = /^x-codex-(primary|secondary)-used-percent$/.exec(name)?.[1]
    const window = unified ?? (codex === undefined ? undefined : codexWindow(headers, codex))
    const share = Number(value) / (codex === undefined ? 1 : 100)
    if (window !== undefined && value.trim() !== '' && Number.isFinite(share) && share >= 0)
      shares[window] = share
  }
  return Object.keys(shares).length === 0 ? null : shares
}

/** `5h` or `7d`, from the length that Codex's provider gives in minutes. */
function codexWindow(headers: Headers, which: string): string {
  const minutes = Number(headers[`x-codex-${which}-window-minutes`])
  if (!Number.isFinite(minutes) || minutes <= 0) return which
  return minutes % 1440 === 0 ? `${minutes / 1440}d` : `${Math.round(minutes / 60)}h`
}
