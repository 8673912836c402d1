import { actionOf } from '../../src/actions/index.ts'
import { quantile } from './quantile.ts'
import { type TracedItem, type TracedSession, tokensOf } from './session.ts'
import type { BenchSession } from './sources.ts'
import type { Table } from './tables.ts'

/** The contents of the sessions, as tables with headings. */
export function anatomyTables(
  sessions: readonly BenchSession[],
): readonly { readonly heading: string; readonly table: Table }[] {
  return [
    { heading: 'Tokens by kind', table: kindTable(sessions.map(({ unpruned }) => unpruned)) },
    { heading: 'Gaps between requests', table: gapTable(sessions.map(({ unpruned }) => unpruned)) },
    {
      heading: 'Requests between a need and the newest item that meets it',
      table: distanceTable(sessions),
    },
  ]
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : ((part * 100) / whole).toFixed(1)

/** The class of an item: its role, and for calls and results the kind of tool. */
export function itemKinds({ items }: TracedSession): readonly string[] {
  const byCall = new Map<string, string>()
  return items.map((item) => {
    if (item.kind === 'call') {
      const kind = toolKind(item)
      if (item.call !== null) byCall.set(item.call, kind)
      return `call:${kind}`
    }
    if (item.kind === 'result') return `result:${byCall.get(item.call ?? '') ?? 'other'}`
    return `${item.role}:${item.kind}`
  })
}

function toolKind({ tool, text }: TracedItem): string {
  const action = actionOf({ tool: tool ?? '', text })
  switch (action.kind) {
    case 'read':
    case 'write':
    case 'glob':
      return action.kind
    case 'edit':
    case 'patch':
      return 'edit'
    case 'search':
      return 'grep'
    case 'shell':
      return shellKind(action)
    default:
      return 'other'
  }
}

function shellKind(
  action: Extract<ReturnType<typeof actionOf>, { readonly kind: 'shell' }>,
): string {
  const [change] = action.changes
  if (change?.kind === 'write') return 'write(shell)'
  if (change?.kind === 'patch' || change?.kind === 'change') return 'edit(shell)'
  if (/^\s*(?:cd [^;&|]+(?:&&|;)\s*)?(?:rg|grep|git grep|ag|ack)\b/.test(action.command))
    return 'grep(shell)'
  if (action.reads.length > 0) return 'read(shell)'
  if (/^\s*(?:cd [^;&|]+(?:&&|;)\s*)?(?:ls|find|fd|tree)\b/.test(action.command))
    return 'glob(shell)'
  return 'bash'
}

function kindTable(sessions: readonly TracedSession[]): Table {
  const kinds = new Map<string, { items: number; entered: number; resident: number }>()
  let entered = 0
  let resident = 0
  for (const session of sessions) {
    const of = itemKinds(session)
    const countOf = (i: number): { items: number; entered: number; resident: number } => {
      const kind = of[i] ?? 'other'
      const known = kinds.get(kind) ?? { items: 0, entered: 0, resident: 0 }
      kinds.set(kind, known)
      return known
    }
    const seen = new Set<number>()
    for (const { view } of session.requests) {
      for (const { item, text } of view) {
        const count = countOf(item.i)
        const tokens = tokensOf(text)
        count.resident += tokens
        resident += tokens
        if (seen.has(item.i)) continue
        seen.add(item.i)
        count.items++
        count.entered += tokens
        entered += tokens
      }
    }
  }
  return [
    ['item kind', 'items', '% of tokens when they enter', '% of tokens sent (resident)'],
    ...[...kinds]
      .sort(([, a], [, b]) => b.resident - a.resident)
      .map(([kind, count]) => [
        kind,
        String(count.items),
        percent(count.entered, entered),
        percent(count.resident, resident),
      ]),
  ]
}

/** The sessions of all agents, then those of each. */
export function byAgent<Session>(
  sessions: readonly Session[],
  formatOf: (session: Session) => string,
): readonly (readonly [string, readonly Session[]])[] {
  const agents = [...new Set(sessions.map(formatOf))].sort()
  return [
    ['all', sessions],
    ...agents.map((agent) => [agent, sessions.filter((each) => formatOf(each) === agent)] as const),
  ]
}

const minute = 60_000

function gapTable(sessions: readonly TracedSession[]): Table {
  return [
    [
      ...['sessions', 'with times', 'requests', 'request gaps', '% over 5 min', '% over 1 h'],
      ...['% of sessions with a gap over 5 min', 'median of such gaps a session'],
    ],
    ...byAgent(sessions, ({ format }) => format).map(([agent, chosen]) => {
      const gaps = chosen.map(gapsOf).filter((each) => each !== null)
      const all = gaps.flat()
      const long = gaps.map((each) => each.filter((gap) => gap > 5 * minute).length)
      const some = long.filter((count) => count > 0).sort((a, b) => a - b)
      return [
        agent,
        String(gaps.length),
        String(chosen.reduce((sum, { requests }) => sum + requests.length, 0)),
        String(all.length),
        percent(all.filter((gap) => gap > 5 * minute).length, all.length),
        percent(all.filter((gap) => gap > 60 * minute).length, all.length),
        percent(some.length, gaps.length),
        some.length === 0 ? '-' : quantile(some, 0.5).toFixed(2),
      ]
    }),
  ]
}

function gapsOf({ requests }: TracedSession): readonly number[] | null {
  const times = requests.map(({ at }) => at).filter((at) => at !== null)
  return times.length === 0 ? null : times.slice(1).map((at, index) => at - (times[index] ?? at))
}

function distanceTable(sessions: readonly BenchSession[]): Table {
  const distances: Record<'E1' | 'E2', number[]> = { E1: [], E2: [] }
  for (const { unpruned, needs } of sessions) {
    const enteredAt = requestOf(unpruned)
    for (const need of needs.needs) {
      const newest = need.spans.map(({ holders }) =>
        Math.max(...holders.map((holder) => enteredAt[holder] ?? 0)),
      )
      distances[need.class].push(need.n - Math.min(...newest))
    }
  }
  const shares = [0.5, 0.75, 0.9, 0.95, 0.99, 1]
  return [
    ['class', 'needs', 'median', 'p75', 'p90', 'p95', 'p99', 'max'],
    ...(['E1', 'E2'] as const).map((name) => {
      const sorted = distances[name].sort((a, b) => a - b)
      return [
        name,
        String(sorted.length),
        ...shares.map((share) => String(sorted.length === 0 ? '-' : quantile(sorted, share))),
      ]
    }),
  ]
}

/** The number of the first request that could show each item. */
export function requestOf({ items, requests }: TracedSession): readonly number[] {
  let request = 0
  return items.map(({ i }) => {
    while (request < requests.length && (requests[request]?.known ?? 0) <= i) request++
    return request + 1
  })
}
