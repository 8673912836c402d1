import type { CacheOutcome } from '../report/priced-receipts.ts'

/**
 * What the dashboard reads and writes, as plain JSON. Times are milliseconds since 1970, sizes are estimated tokens, and
 * money is in dollars. A report file holds the answers of the same GET routes, so that one page shows both.
 *
 * Route                                             Answer           Token
 * GET  /palimpsest/api/status                       DashboardStatus  no
 * GET  /palimpsest/api/overview?range=RANGE         Overview         no
 * GET  /palimpsest/api/sessions                     SessionList      no
 * GET  /palimpsest/api/sessions/KEY                 SessionDetail    no
 * GET  /palimpsest/api/sessions/KEY/items/HANDLE    ItemDetail       no
 * GET  /palimpsest/api/sessions/KEY/search?q=TEXT   SearchResult     no
 * GET  /palimpsest/api/sessions/KEY/files           FileList         no
 * GET  /palimpsest/api/sessions/KEY/file?path=P&at=N  FileAt         no
 * GET  /palimpsest/api/sessions/KEY/money           Money            no
 * GET  /palimpsest/api/sessions/KEY/compare         Comparison       no
 * GET  /palimpsest/api/compare?folder=FOLDER        Comparison       no
 * GET  /palimpsest/api/memory                       MemoryView       no
 * GET  /palimpsest/api/settings                     Settings         no
 * GET  /palimpsest/api/events                       LiveEvent (SSE)  no
 * POST /palimpsest/api/pause                        PauseState       yes
 * POST /palimpsest/api/sessions/KEY/restore         ActionResult     yes
 * POST /palimpsest/api/sessions/KEY/protect         ActionResult     yes
 * POST /palimpsest/api/memory/review                ActionResult     yes
 * POST /palimpsest/api/memory/forget                ForgetResult     yes
 *
 * "Token: no" means: as the gateway's other own routes, so a gateway outside loopback requires its token for them too.
 * "Token: yes" means: always the dashboard's token, in the header `x-palimpsest-token`, also on loopback. Without it the
 * answer is 401. Errors are `ApiError` with a status of 400 or more. HANDLE, PATH and FOLDER are URI-encoded.
 */

export const apiRoot = '/palimpsest/api'

/** Addresses of the GET routes, below `apiRoot`. A report file keeps answers under these very strings. */
export const apiPaths = {
  status: (): string => '/status',
  overview: (range: Range): string => `/overview?range=${range}`,
  sessions: (): string => '/sessions',
  session: (key: string): string => `/sessions/${encodeURIComponent(key)}`,
  item: (key: string, handle: string): string =>
    `${apiPaths.session(key)}/items/${encodeURIComponent(handle)}`,
  search: (key: string, text: string): string =>
    `${apiPaths.session(key)}/search?q=${encodeURIComponent(text)}`,
  files: (key: string): string => `${apiPaths.session(key)}/files`,
  file: (key: string, path: string, at: number): string =>
    `${apiPaths.session(key)}/file?path=${encodeURIComponent(path)}&at=${at}`,
  money: (key: string): string => `${apiPaths.session(key)}/money`,
  compareSession: (key: string): string => `${apiPaths.session(key)}/compare`,
  compareFolder: (folder: string): string => `/compare?folder=${encodeURIComponent(folder)}`,
  memory: (): string => '/memory',
  settings: (): string => '/settings',
  events: (): string => '/events',
} as const

export interface ApiError {
  readonly error: { readonly type: string; readonly message: string }
}

/** The same quantity with Palimpsest and without. */
export interface WithAndWithout {
  readonly with: number
  readonly without: number
}

// ---- status and pause

export interface DashboardStatus {
  /** `report` in a file that was written by `palimpsest report`. */
  readonly mode: 'live' | 'report'
  readonly version: string
  readonly now: number
  /** When the gateway started, or when the report was written. */
  readonly startedAt: number
  /** The store's place in words, without a password. */
  readonly store: string
  readonly pause: PauseState
  readonly faults: { readonly connections: number; readonly internal: number }
  /** Requests that were forwarded unchanged since the start, by reason. */
  readonly bypasses: Readonly<Record<string, number>>
  /** Requests that were checked after they were sent, and broken promises by name; null unless `verify` is set. */
  readonly verified: {
    readonly requests: number
    readonly breaches: Readonly<Record<string, number>>
  } | null
}

export interface PauseState {
  /** Nothing is pruned at all. */
  readonly all: boolean
  /** Keys of sessions in which nothing is pruned. */
  readonly sessions: readonly string[]
}

/** Body of `POST /pause`. Without a session it is for everything. */
export interface PauseRequest {
  readonly session?: string
  readonly paused: boolean
}

// ---- overview

export type Range = 'week' | 'month' | 'all'

/** Sums over the receipts of real requests. */
export interface Totals {
  readonly requests: number
  /** Outputs that a hook shortened before they were sent. Each counts once, and is in no request. */
  readonly outputs: number
  readonly sessions: number
  /** Tokens of requests as they came (`without`) and as they were sent (`with`). */
  readonly tokens: WithAndWithout
  /** Dollars saved, with the cache priced; null when no request has a price. */
  readonly savedDollars: number | null
  /** What the requests cost by the provider's usage and the price table; null when unknown. */
  readonly spentDollars: number | null
  readonly outputTokens: number
  /** Input tokens by usage: read from the cache, written to it, and neither. null without usage. */
  readonly cache: CacheSums | null
  /** Mean share of the model's context limit, 0 to 1, as sent and as it would have been; null when unknown. */
  readonly limitShare: WithAndWithout | null
  /** Originals that were fetched back. */
  readonly restored: number
  readonly bypassed: number
  readonly failed: number
  /** How the users pay: show dollars for `tokens`, tokens and limits for `subscription`; null when no request says. */
  readonly billing: 'tokens' | 'subscription' | 'both' | null
  /** How many of the requests have a saving by the provider's usage. The others are estimated. */
  readonly measured: number
  /** How much of a subscription's limits was used at the last request that said so, 0 to 1, by window (`5h`). */
  readonly limits: Readonly<Record<string, number>> | null
}

export interface CacheSums {
  readonly read: number
  readonly written: number
  readonly uncached: number
}

export interface Group extends Totals {
  /** A day (`2026-11-18`), a folder, an agent or a model. */
  readonly name: string
}

export interface Overview {
  readonly range: Range
  readonly from: number | null
  readonly to: number
  readonly totals: Totals
  /** Without gaps, the oldest first. */
  readonly days: readonly Group[]
  /** The largest savings first. */
  readonly projects: readonly Group[]
  readonly agents: readonly Group[]
  readonly models: readonly Group[]
  /** Originals fetched back, by how they had been shown. */
  readonly restoredBy: Readonly<Record<string, number>>
  /** Requests that were forwarded unchanged, by reason. */
  readonly bypassedBy: Readonly<Record<string, number>>
}

// ---- sessions

export interface SessionList {
  /** The last used first. */
  readonly sessions: readonly SessionRow[]
}

export interface SessionRow {
  /** Identifies the session in this store; for addresses. */
  readonly key: string
  /** The session's own id. */
  readonly id: string
  readonly parent: string | null
  /** `Claude Code`, `Codex`, …; the origin where the agent is unknown. */
  readonly agent: string
  readonly model: string | null
  /** The folder that its agent works in. */
  readonly project: string | null
  /** The beginning of the user's first message. */
  readonly title: string
  readonly createdAt: number
  readonly usedAt: number
  readonly turns: number
  readonly items: number
  /** Tokens of the last request, as sent and as it came. */
  readonly context: WithAndWithout
  readonly contextLimit: number | null
  /** Sums over its requests. */
  readonly tokens: WithAndWithout
  readonly savedDollars: number | null
  readonly cache: CacheSums | null
  readonly restored: number
  readonly isPaused: boolean
  readonly billing: Totals['billing']
  /** True for a recording: nothing was sent, so its savings are what would have been saved. */
  readonly isReplayed: boolean
}

// ---- session

export const contextKinds = [
  'system',
  'tools',
  'user',
  'prose',
  'reasoning',
  'reads',
  'shell',
  'edits',
  'other',
] as const

export type ContextKind = (typeof contextKinds)[number]

export interface SessionDetail extends SessionRow {
  /** In order; request `n` is at index `n - 1`. */
  readonly requests: readonly RequestPoint[]
  /** In the order of the record. */
  readonly itemList: readonly ItemRow[]
}

export interface RequestPoint {
  /** From 1. */
  readonly n: number
  readonly at: number | null
  readonly model: string | null
  readonly contextLimit: number | null
  /** Tokens as sent, in the order of `contextKinds`. */
  readonly shown: readonly number[]
  /** Tokens that were removed from each kind, in the same order. */
  readonly removed: readonly number[]
  readonly tokens: WithAndWithout
  /** As the provider counted; null when no usage is known. `input` includes cache reads. */
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  } | null
  readonly cache: CacheState | null
  readonly epoch: EpochPoint | null
  readonly savedDollars: number | null
  /** Why the original was sent. */
  readonly bypass: string | null
  readonly restored: number
  /** The provider's HTTP status; null for a recorded session. */
  readonly status: number | null
}

/** What the provider read from its cache, and why it was not all that had been sent before. */
export type CacheState = CacheOutcome

export interface EpochPoint {
  /** Why bytes that were sent before changed: `pays`, `idle`, `pressure`, … */
  readonly reason: string
  readonly removedTokens: number
  readonly rewrittenTokens: number
  readonly dollars: number
  /** After how many requests, this one included, the savings cover the cost; null for never. */
  readonly paysBackAfter: number | null
}

export interface ItemRow {
  readonly index: number
  readonly handle: string
  readonly kind: 'text' | 'reasoning' | 'call' | 'result' | 'attachment' | 'marker'
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly contextKind: ContextKind
  readonly turn: number
  readonly tokens: number
  /** What it is about, in one line: the operation of a call or result, else the beginning of its text. */
  readonly about: string
  /** The first 400 characters of its text. */
  readonly preview: string
  readonly tool: string | null
  readonly isError: boolean
  readonly isProtected: boolean
  /** How it was shown, request by request, without gaps from the first request with it to the last request. */
  readonly spans: readonly ItemSpan[]
}

export interface ItemSpan {
  /** First and last request. */
  readonly from: number
  readonly to: number
  /** `full`; `absent` when the agent itself did not send it; `left out`; or how it was shown: `pointer`, `view`, … */
  readonly shown: string
  /** What was sent instead; null when shown in full, left out or absent. At most 4,000 characters. */
  readonly text: string | null
  readonly tokens: number
  readonly reason: string | null
  readonly strategy: string | null
  /** Handle of the item that replaced it. */
  readonly by: string | null
}

export interface ItemDetail {
  readonly handle: string
  /** The original, whole. */
  readonly text: string
  readonly media: string | null
  /** What replaced it, what replaced that, and so on; handles. */
  readonly replacedBy: readonly string[]
  readonly replaces: readonly string[]
  /** How long it would be kept when the context gets full: `critical`, `important`, …; null when not requested. */
  readonly retention: string | null
  /** Why it was judged unlikely to be needed again; in words. */
  readonly need: string | null
  /** The command or tool that restores it. */
  readonly restore: string
}

export interface SearchResult {
  /** In the order of the record. */
  readonly matches: readonly {
    readonly index: number
    /** Text around the first match. */
    readonly excerpt: string
  }[]
  readonly truncated: boolean
}

/** Body of `POST /sessions/KEY/restore` and `/protect`. */
export interface ItemAction {
  readonly handle: string
}

export interface ActionResult {
  readonly ok: boolean
  /** What happened, or why not, as a sentence for users. */
  readonly message: string
}

// ---- files

export interface FileList {
  readonly requests: number
  /** The most tokens first. */
  readonly files: readonly FileRow[]
}

export interface FileRow {
  readonly path: string
  /** The path relative to the project where it lies in it. */
  readonly name: string
  readonly exists: boolean | null
  readonly reads: number
  readonly changes: number
  readonly versions: number
  /** Tokens of all its reads and edits in the record, and of those still shown in the last request. */
  readonly tokens: number
  readonly visibleTokens: number
  /** `current`: the last request shows the newest version; `stale`: only older ones; `gone`: none. */
  readonly visible: 'current' | 'stale' | 'gone'
  readonly events: readonly FileEventRow[]
}

export interface FileEventRow {
  readonly turn: number
  /** `read`, `write`, `edit`, `delete`, `unknown`, … */
  readonly kind: string
  readonly version: number
  /** Handle of the item with it. */
  readonly handle: string | null
  /** First and last line it covers, from 1; null for the whole file or when unknown. */
  readonly lines: readonly [number, number] | null
  /** What the last request shows of it: `part` for a shortened text or a view of the file as it is now. */
  readonly shown: 'full' | 'part' | 'none'
  readonly lineCount: number | null
}

/** A file as the session knew it at a request. */
export interface FileAt {
  readonly path: string
  readonly turn: number
  readonly version: number
  readonly exists: boolean | null
  readonly isComplete: boolean
  /** null stands for one or more lines that are not known. */
  readonly lines: readonly (string | null)[]
}

// ---- money

export interface Money {
  readonly regimes: readonly MoneyRegime[]
  /** The regime of the session's own model; null when it has no price. */
  readonly own: string | null
  /** Requests whose dollars under the own regime come from the provider's usage. The others are estimated. */
  readonly measured: number
  /** Cache reads and writes by usage, per request; null where no usage is known. */
  readonly cache: readonly (CacheSums | null)[]
  readonly epochs: readonly (EpochPoint & { readonly request: number })[]
  readonly restored: { readonly items: number; readonly tokens: number; readonly dollars: number }
}

export interface MoneyRegime {
  readonly name: string
  /** Dollars for a million input tokens, and what reads and writes cost relative to that. */
  readonly inputPrice: number
  readonly read: number
  readonly write: number
  readonly lifetimeMs: number | null
  readonly dollars: WithAndWithout
  /** By request, in order. */
  readonly requests: readonly WithAndWithout[]
}

// ---- memory

export interface MemoryView {
  /** False when memory is switched off. */
  readonly isOn: boolean
  /** All items that were not forgotten; the newest first. */
  readonly items: readonly MemoryRow[]
  readonly conflicts: readonly MemoryConflict[]
  readonly patterns: readonly MemoryPattern[]
}

export interface MemoryRow {
  readonly id: string
  readonly kind: 'fact' | 'preference' | 'decision'
  readonly scope: string
  readonly text: string
  readonly about: string | null
  readonly confidence: number
  readonly origin: string
  readonly quote: string | null
  readonly session: string | null
  readonly validFrom: number
  readonly recordedAt: number
  /** When and how it stopped being current; null when it is. */
  readonly ended: {
    readonly at: number
    readonly how: 'superseded' | 'retracted' | 'expired'
    /** The id of its replacement. */
    readonly by: string | null
    readonly reason: string | null
  } | null
  /** The id of the item that it replaced. */
  readonly replaces: string | null
}

export interface MemoryConflict {
  readonly id: string
  /** Ids: the older and the newer. */
  readonly items: readonly string[]
  readonly reason: string
  readonly at: number
}

export interface MemoryPattern {
  readonly text: string
  readonly count: number
  readonly items: readonly string[]
}

/** Body of `POST /memory/review`. `accept`: the newer replaces the older; `reject`: the older stays; `both`: both hold. */
export interface ReviewRequest {
  readonly conflict: string
  readonly outcome: 'accept' | 'reject' | 'both'
}

/** Body of `POST /memory/forget`. Without `confirm: true` nothing is removed and the answer says what would be. */
export interface ForgetRequest {
  readonly id: string
  readonly confirm: boolean
}

export interface ForgetResult extends ActionResult {
  /** Copies that are (or would be) removed: items, sessions, … */
  readonly copies: readonly { readonly where: string; readonly count: number }[]
}

// ---- compare

export interface Comparison {
  /** What was compared, in words. */
  readonly subject: string
  readonly sessions: number
  readonly requests: number
  readonly variants: readonly ComparedPolicy[]
}

export interface ComparedPolicy {
  readonly preset: string
  readonly schedule: string
  /** The one in force. */
  readonly isCurrent: boolean
  readonly tokens: WithAndWithout
  readonly dollars: WithAndWithout
  readonly epochs: number
  /** Pieces of text that the agent used later, and how many of them were visible when it did; null when not measured. */
  readonly evidence: { readonly needed: number; readonly visible: number } | null
  /** Sessions that cost more than without. */
  readonly costMore: number
}

// ---- settings

export interface Settings {
  readonly values: readonly SettingRow[]
  /** Files that were looked for. */
  readonly files: readonly {
    readonly path: string
    readonly state: 'read' | 'absent' | 'untrusted'
  }[]
  readonly agents: readonly AgentSetup[]
}

export interface SettingRow {
  /** A dotted key: `memory.inject`. */
  readonly key: string
  /** As JSON. */
  readonly value: string
  /** `default`, a preset's name, or the file or option that set it. */
  readonly source: string
  readonly sourceKind: 'default' | 'preset' | 'user' | 'project' | 'option'
  readonly description: string | null
}

export interface AgentSetup {
  readonly agent: string
  /** Where the lines go: `shell`, or a file's path. */
  readonly where: string
  readonly lines: readonly string[]
}

// ---- live

/** The data of a server-sent event, as JSON. A comment line is sent every 15 seconds. */
export type LiveEvent =
  /** A session is new or changed. */
  | { readonly kind: 'session'; readonly session: SessionRow }
  /** A request of a session was sent. */
  | { readonly kind: 'request'; readonly session: string; readonly request: RequestPoint }
  | { readonly kind: 'status'; readonly status: DashboardStatus }
  | { readonly kind: 'memory' }

// ---- report

/** The data in a report file. */
export interface ReportData {
  readonly kind: 'palimpsest report'
  /** Answers of GET routes, under the strings of `apiPaths`. */
  readonly answers: Readonly<Record<string, unknown>>
}
