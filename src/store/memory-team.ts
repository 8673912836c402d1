import type { HeldSession } from './memory-store.ts'
import type { OwnerStatistics, StoredToken, Team } from './team.ts'

/** The team of a store in memory: one process. */
export function createMemoryTeam(held: ReadonlyMap<number, HeldSession>): Team {
  const tokens = new Map<string, StoredToken>()
  const claims = new Map<string, number>()
  return {
    async addToken(token) {
      tokens.set(token.id, token)
    },
    findToken: async (id) => tokens.get(id) ?? null,
    tokens: async () => [...tokens.values()],
    async revokeTokens(idOrName, at) {
      const found = [...tokens.values()].filter(
        ({ id, name, revokedAt }) => revokedAt === null && (id === idOrName || name === idOrName),
      )
      const revoked = found.map((token) => ({ ...token, revokedAt: at }))
      for (const token of revoked) tokens.set(token.id, token)
      return revoked
    },
    owners: async () => ownersOf([...held.values()]),
    sessionOwners: async () =>
      new Map(
        [...held].flatMap(([number, { owner }]) => (owner === null ? [] : [[number, owner]])),
      ),
    async claim(job, at, forMs) {
      if ((claims.get(job) ?? 0) > at) return false
      claims.set(job, at + forMs)
      return true
    },
  }
}

function ownersOf(held: readonly HeldSession[]): readonly OwnerStatistics[] {
  const names = new Set(held.flatMap(({ owner }) => (owner === null ? [] : [owner])))
  return [...names].sort().map((owner) => {
    const own = held.filter((each) => each.owner === owner)
    const statistics: Record<string, number> = {}
    for (const [name, value] of own.flatMap((each) => [...each.statistics]))
      statistics[name] = (statistics[name] ?? 0) + value
    const usedAt = Math.max(...own.map(({ session }) => session.usedAt))
    return { owner, sessions: own.length, usedAt, statistics }
  })
}
