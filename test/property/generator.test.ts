import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemDraft } from '../../src/core/words/item.ts'
import { pointerRhythms, runs, wireFormats } from './runs.ts'
import { sessionScript } from './script.ts'
import { playSession, type RandomSession } from './session.ts'
import { someSettings } from './settings.ts'

const sessions = fc
  .sample(sessionScript, { numRuns: 400, seed: 1 })
  .map((script) => playSession(script))

const itemsOf = ({ requests }: RandomSession): readonly ItemDraft[] =>
  (requests.at(-1)?.messages ?? []).flatMap(({ items }) => items)

const callsOf = (random: RandomSession): readonly (ItemDraft & { kind: 'call' })[] =>
  itemsOf(random).filter((item) => item.kind === 'call')

/** The calls of one answer. */
const turnsOf = ({ requests }: RandomSession): readonly (readonly ItemDraft[])[] =>
  (requests.at(-1)?.messages ?? []).map(({ items }) => items.filter(({ kind }) => kind === 'call'))

const statuses = (random: RandomSession): ReadonlyMap<string, string> =>
  new Map(
    itemsOf(random).flatMap((item) => (item.kind === 'result' ? [[item.call, item.status]] : [])),
  )

/** True when some group of the calls with one key meets a condition. */
function someGroup(
  random: RandomSession,
  keyOf: (call: ItemDraft & { kind: 'call' }) => string | null,
  meets: (calls: readonly (ItemDraft & { kind: 'call' })[]) => boolean,
): boolean {
  const groups = new Map<string, (ItemDraft & { kind: 'call' })[]>()
  for (const call of callsOf(random)) {
    const key = keyOf(call)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), call])
  }
  return [...groups.values()].some(meets)
}

const sameCall = (call: ItemDraft & { kind: 'call' }): string => `${call.tool} ${call.text}`
const isReader = (tool: string): boolean => /^(?:read|read_file|Read)$/.test(tool)
const differ = (texts: readonly string[]): boolean => new Set(texts).size > 1
const hasStatus = ({ requests }: RandomSession, status: string): boolean =>
  requests.some(({ messages }) =>
    messages.some(({ items }) =>
      items.some((item) => item.kind === 'result' && item.status === status),
    ),
  )
const before = ({ script }: RandomSession, kind: string): boolean =>
  script.turns.some((turn) => turn.before.kind === kind)

const hazards: Readonly<Record<string, (random: RandomSession) => boolean>> = {
  'same turn': (random) =>
    turnsOf(random).some((calls) => {
      const paths = calls.map((item) =>
        'call' in item ? random.pathOfCall.get(item.call ?? '') : null,
      )
      return paths.some((path, at) => path != null && paths.indexOf(path) !== at)
    }),
  'running call': (random) => hasStatus(random, 'running'),
  'call without a result': (random) => {
    const known = statuses(random)
    return callsOf(random).some(({ call }) => !known.has(call))
  },
  'failed call on either side': (random) => {
    const known = statuses(random)
    const failed = (first: string, second: string): boolean =>
      someGroup(random, sameFile(random), (calls) =>
        calls.some(
          ({ call }, at) =>
            known.get(call) === first &&
            calls.slice(at + 1).some((later) => known.get(later.call) === second),
        ),
      )
    return failed('error', 'ok') && failed('ok', 'error')
  },
  'protected tool': (random) => callsOf(random).some(({ tool }) => tool === 'secret_tool'),
  'protected file pattern': (random) => [...random.pathOfCall.values()].includes('config/.env'),
  'already superseded': (random) => someGroup(random, sameCall, (calls) => calls.length > 2),
  'different range': (random) =>
    someGroup(
      random,
      (call) => (isReader(call.tool) ? (random.pathOfCall.get(call.call) ?? null) : null),
      (calls) => differ(calls.map(({ text }) => text)),
    ),
  'different tool with the same input': (random) =>
    someGroup(
      random,
      (call) => call.text,
      (calls) => differ(calls.map(({ tool }) => tool)),
    ),
  'forked history': (random) => before(random, 'forked'),
  'edited history': (random) => before(random, 'edited'),
  'compacted history': (random) => before(random, 'compacted'),
  'history cleared by the agent': (random) => before(random, 'cleared'),
  'change from outside': (random) => before(random, 'outside'),
  'parallel calls': (random) => turnsOf(random).some((calls) => calls.length > 1),
  subagents: ({ script }) =>
    script.turns.some(({ deeds }) => deeds.some(({ deed }) => deed.do === 'subagent')),
}

const sameFile =
  (random: RandomSession) =>
  ({ call }: ItemDraft & { kind: 'call' }): string | null =>
    random.pathOfCall.get(call) ?? null

describe('random sessions', () => {
  it('are at least five thousand a run', () => {
    const { wire, pointers, ...rest } = runs
    const others = Object.values<number>(rest).reduce((sum, count) => sum + count, 0)
    const all = others + wire * wireFormats + pointers * pointerRhythms
    expect(all).toBeGreaterThanOrEqual(5_000)
  })

  it('have forty items at the median', () => {
    const sizes = sessions.map((random) => itemsOf(random).length).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeGreaterThanOrEqual(40)
  })

  it.each(Object.entries(hazards))('have the hazard: %s', (_, has) => {
    expect(sessions.filter(has).length).toBeGreaterThanOrEqual(20)
  })

  it('are tried with protected turns, protected tools and protected files', () => {
    const tried = fc.sample(someSettings, { numRuns: 400, seed: 1 })
    const share = (has: (one: (typeof tried)[number]) => boolean): number =>
      tried.filter(has).length
    expect(share(({ turnProtection }) => turnProtection > 0)).toBeGreaterThan(50)
    expect(share(({ protectedTools }) => protectedTools.includes('secret_tool'))).toBeGreaterThan(
      50,
    )
    expect(share(({ protectedFilePatterns }) => protectedFilePatterns.length > 0)).toBeGreaterThan(
      50,
    )
  })
})
