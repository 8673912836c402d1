import { type CacheModel, createCacheModel } from '../core/schedule/cache-model.ts'
import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import type { Recording } from '../recordings/recording.ts'
import { pieceOf } from './prompt-pieces.ts'
import { replay } from './replay.ts'

/** Input tokens, and how many of them came from the cache. */
export interface CacheShare {
  readonly input: number
  readonly read: number
}

/** The provider's usage for the requests of a recording, where it is recorded, and what the cache model predicted. */
export interface CacheCheck {
  readonly requests: number
  readonly recorded: CacheShare
  readonly predicted: CacheShare
}

export interface CacheCheckOptions {
  readonly models?: readonly ModelOverride[]
  /** `rules` predicts from the provider's rules alone; `figures` also from the usage of earlier answers. */
  readonly from?: 'rules' | 'figures'
}

/** An estimate for system prompt and tool definitions, which are not recorded, until usage shows more. */
const hiddenTokens = 18_000

export function checkCache(recording: Recording, options: CacheCheckOptions = {}): CacheCheck {
  const usages = recording.events.flatMap((event) =>
    event.kind === 'message' && event.message.role === 'assistant' ? [event.message.usage] : [],
  )
  const caches = new Map<string | null, CacheModel>()
  let requests = 0
  const recorded = { input: 0, read: 0 }
  const predicted = { input: 0, read: 0 }
  for (const step of replay(recording)) {
    if (step.kind !== 'request') continue
    const cache =
      caches.get(step.model) ??
      createCacheModel(modelFacts(step.model, options.models), { hiddenTokens })
    caches.set(step.model, cache)
    const sent = cache.send({ pieces: step.unchanged.map(pieceOf), at: step.at })
    const usage = usages[step.n - 1]
    if (usage === undefined || usage.input === 0) continue
    requests++
    recorded.input += usage.input
    recorded.read += usage.cacheRead
    predicted.input += sent.read + sent.written + sent.uncached
    predicted.read += sent.read
    if (options.from !== 'rules') sent.correct(usage)
  }
  return { requests, recorded, predicted }
}

export function sumChecks(checks: readonly CacheCheck[]): CacheCheck {
  const sum = (side: 'recorded' | 'predicted', key: keyof CacheShare): number =>
    checks.reduce((total, check) => total + check[side][key], 0)
  const both = (side: 'recorded' | 'predicted'): CacheShare => ({
    input: sum(side, 'input'),
    read: sum(side, 'read'),
  })
  return {
    requests: checks.reduce((total, check) => total + check.requests, 0),
    recorded: both('recorded'),
    predicted: both('predicted'),
  }
}

/** The share that came from the cache, between 0 and 1. */
export function readShare({ input, read }: CacheShare): number {
  return input === 0 ? 0 : read / input
}
