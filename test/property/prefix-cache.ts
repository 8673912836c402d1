/** One part of a prompt: equal ids are equal bytes. */
export interface PromptPart {
  readonly id: string
  readonly size: number
}

export interface CachePrices {
  readonly write: number
  readonly read: number
  readonly lifetimeMs: number | null
}

/** A provider's cache as its documents describe it, written without regard to how the engine follows it. */
export interface PrefixCache {
  /**
   * What a request costs at each of the prices, in characters at the base price. It refreshes what it reads, and leaves
   * all of itself behind.
   */
  charge(parts: readonly PromptPart[], when: { at: number; model: string }): readonly number[]
}

/** A prefix that was sent: when it was used last, and the prefixes that are one part longer. */
interface SentPrefix {
  readonly longer: Map<string, SentPrefix>
  usedAt: number
}

export function createPrefixCache(prices: readonly CachePrices[]): PrefixCache {
  const byModel = new Map<string, SentPrefix>()
  return {
    charge(parts, { at, model }) {
      const isCached = prices.map(({ lifetimeMs }) => lifetimeMs !== null)
      const charged = prices.map(() => 0)
      let { longer } = byModel.get(model) ?? { longer: new Map<string, SentPrefix>() }
      byModel.set(model, { longer, usedAt: at })
      for (const { id, size } of parts) {
        const known = longer.get(id)
        for (const [index, { read, write, lifetimeMs }] of prices.entries()) {
          if (known === undefined || at - known.usedAt > (lifetimeMs ?? 0)) isCached[index] = false
          charged[index] = (charged[index] ?? 0) + size * (isCached[index] === true ? read : write)
        }
        const prefix = known ?? { longer: new Map(), usedAt: at }
        prefix.usedAt = at
        longer.set(id, prefix)
        longer = prefix.longer
      }
      return charged
    },
  }
}

/** What a session has cost less than without us, at each of the prices. */
export interface SavedSoFar {
  readonly saved: number[]
  request(
    shown: { readonly before: readonly PromptPart[]; readonly after: readonly PromptPart[] },
    when: { at: number; model: string },
  ): void
}

export function createSavedSoFar(prices: readonly CachePrices[]): SavedSoFar {
  const without = createPrefixCache(prices)
  const withUs = createPrefixCache(prices)
  const saved = prices.map(() => 0)
  return {
    saved,
    request({ before, after }, when) {
      const charged = withUs.charge(after, when)
      for (const [index, price] of without.charge(before, when).entries()) {
        saved[index] = (saved[index] ?? 0) + price - (charged[index] ?? 0)
      }
    },
  }
}
