import { itemKinds, requestOf } from '../score/anatomy.ts'
import { cheapestCover } from '../score/cover.ts'
import { scoredRegimes } from '../score/regimes.ts'
import {
  prefixTokens,
  shownTokens,
  type TracedItem,
  type TracedSession,
  tokensOf,
} from '../score/session.ts'
import type { BenchSession } from '../score/sources.ts'

/** What became of the input that a session pays for without any policy. */
export const fates = [
  'gone',
  'short form',
  'of user and system',
  'needed later',
  'first sight',
  'small',
  'let stand',
] as const

type Fate = (typeof fates)[number]

/** Dollars by kind of item and by fate, in multiples of an input token's price under anthropic-5m. */
export type Residue = ReadonlyMap<string, Readonly<Record<Fate, number>>>

/** Results of fewer tokens are not judged by retention. */
const smallTokens = 375

/** Where the dollars of a session under a policy are, for each item and request, priced as the policy's own requests are. */
export function residueOf({ unpruned, needs }: BenchSession, session: TracedSession): Residue {
  const residue = new Map<string, Record<Fate, number>>()
  const add = (kind: string, fate: Fate, dollars: number): void => {
    const row = residue.get(kind) ?? noDollars()
    row[fate] += dollars
    residue.set(kind, row)
  }
  const [{ write, read, lifetimeMs }] = scoredRegimes as [(typeof scoredRegimes)[number]]
  const kinds = itemKinds(unpruned)
  const enteredAt = requestOf(unpruned)
  const until = cheapestCover(unpruned, needs, isUsers)
  let before: ReadonlySet<number> = new Set()
  let sentAt: number | null = null
  for (const [index, { n, at, view }] of session.requests.entries()) {
    const isCold = at !== null && sentAt !== null && at - sentAt > (lifetimeMs ?? 0)
    let price = index === 0 || isCold ? write : read
    sentAt = at
    add('system prompt and tools', 'of user and system', prefixTokens * price)
    const shown = new Map(view.map((rendition) => [rendition.item.i, rendition]))
    for (const { item, text } of unpruned.requests[index]?.view ?? []) {
      const rendition = shown.get(item.i)
      if (rendition !== undefined && !before.has(rendition.r)) price = write
      const kind = kinds[item.i] ?? 'other'
      const left = rendition === undefined ? 0 : shownTokens(rendition)
      add(kind, 'gone', (tokensOf(text) - left) * price)
      const isNeeded = n <= (until[item.i] ?? 0)
      const isShort = rendition?.how !== 'full'
      const isFirst = n <= (enteredAt[item.i] ?? 0)
      add(kind, fateOf(item, { isShort, isNeeded, isFirst, left }), left * price)
    }
    before = new Set(view.map(({ r }) => r))
  }
  return residue
}

function isUsers({ kind, role }: TracedItem): boolean {
  return kind === 'text' && role !== 'assistant'
}

function fateOf(
  item: TracedItem,
  told: {
    readonly isShort: boolean
    readonly isNeeded: boolean
    readonly isFirst: boolean
    readonly left: number
  },
): Fate {
  if (told.isShort) return 'short form'
  if (isUsers(item)) return 'of user and system'
  if (told.isNeeded) return 'needed later'
  if (told.isFirst) return 'first sight'
  return told.left < smallTokens ? 'small' : 'let stand'
}

/** The sum over sessions. */
export function sumOf(residues: readonly Residue[]): Residue {
  const sum = new Map<string, Record<Fate, number>>()
  for (const residue of residues)
    for (const [kind, row] of residue) {
      const total = sum.get(kind) ?? noDollars()
      for (const fate of fates) total[fate] += row[fate]
      sum.set(kind, total)
    }
  return sum
}

function noDollars(): Record<Fate, number> {
  return Object.fromEntries(fates.map((fate) => [fate, 0])) as Record<Fate, number>
}
