import * as fc from 'fast-check'
import { createMemoryStore } from '../../src/store/index.ts'
import { isSoak } from '../soak.ts'
import { AgentConversation, type Deed } from './agent.ts'
import type { BodyOptions, Said } from './conversation.ts'
import type { Door, DoorOptions } from './door.ts'
import { hourMs } from './models.ts'
import { CostSession, type Reports } from './session.ts'

const minute = 60_000

/** What happens next in a random session. */
export type Step =
  | { readonly do: 'act'; readonly deeds: readonly Deed[] }
  | { readonly do: 'say' }
  | { readonly do: 'wait' | 'clock'; readonly ms: number }
  | { readonly do: 'token' | 'id' | 'organisation' | 'restart' }
  | { readonly do: 'model'; readonly requests: number }
  | { readonly do: 'rewind' | 'compact' | 'subagent' | 'restore'; readonly count: number }
  /** The store fails for this many requests. */
  | { readonly do: 'locked'; readonly count: number }
  /** The last request again, or a question beside the conversation. */
  | { readonly do: 'again' | 'aside' }

export interface Script extends Pick<BodyOptions, 'marking' | 'ttl' | 'systemSize'> {
  readonly model: string
  readonly reports: Reports
  /** How many requests went straight to the provider before the first that we see. */
  readonly joinedAfter: number
  /** The provider keeps entries for another time than it says. */
  readonly trueLifetimeMs: number | null
  readonly steps: readonly Step[]
}

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read' as const), file: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), file: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      lines: fc.constantFrom(3, 40, 150, 260, 500),
      fails: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('search' as const), word: fc.nat(3) }),
)

const acts: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('act' as const),
  deeds: fc.oneof(
    { weight: 8, arbitrary: fc.tuple(deed) },
    fc.array(deed, { minLength: 2, maxLength: 3 }),
    // More blocks than a provider searches for an entry.
    fc.array(deed, { minLength: 11, maxLength: 11 }),
  ),
})

const ms = fc.constantFrom(
  1 * minute,
  4 * minute,
  6 * minute,
  12 * minute,
  20 * minute,
  70 * minute,
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: acts },
  { weight: 3, arbitrary: fc.constant({ do: 'say' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms }) },
  fc.record({
    do: fc.constant('clock' as const),
    ms: fc.constantFrom(hourMs, -hourMs, 20 * minute),
  }),
  fc.record({
    do: fc.constantFrom('token', 'token', 'id', 'organisation', 'restart', 'restart'),
  }),
  fc.record({ do: fc.constant('model' as const), requests: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    do: fc.constantFrom('rewind', 'compact', 'subagent', 'locked'),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ do: fc.constant('restore' as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constantFrom('again', 'aside') }),
)

const usual = <Value>(value: Value, ...others: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, fc.constantFrom(value, ...others))

export const script: fc.Arbitrary<Script> = fc.record({
  model: fc.constantFrom(
    'claude-sonnet-4-5',
    'claude-sonnet-4-6',
    'claude-opus-4-5',
    'claude-opus-4-7',
    'claude-haiku-4-5',
    'gpt-5.1',
    'gpt-5.6-sol',
  ),
  marking: usual('claude-code', 'last-message', 'automatic', 'system-only', 'none'),
  ttl: usual<BodyOptions['ttl']>(null, '5m', '1h'),
  systemSize: fc.constantFrom(200, 3_000, 12_000, 40_000),
  reports: usual<Reports>('true', 'late', 'none', 'nothing read', 'all read', 'short', 'absurd'),
  joinedAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 3, 8)),
  trueLifetimeMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    fc.constantFrom(5 * minute, hourMs),
  ),
  steps: fc.array(step, { minLength: 4, maxLength: isSoak ? 30 : 12, size: 'max' }),
})

export async function play(
  { steps, joinedAfter, trueLifetimeMs, ...options }: Script,
  open?: (options: DoorOptions) => Door | Promise<Door>,
): Promise<CostSession> {
  const session = new CostSession({
    ...options,
    store: createMemoryStore(),
    ...(trueLifetimeMs === null ? {} : { trueLifetimeMs }),
    ...(open === undefined ? {} : { open }),
  })
  session.agent.prompt('Repair the tests.')
  for (let request = 0; request < joinedAfter; request++) {
    await session.sendDirectly()
    session.wait(4_000)
    session.agent.act([request % 3 === 1 ? { do: 'edit', file: 1 } : { do: 'read', file: 1 }])
  }
  await session.send()
  for (const [index, each] of steps.entries()) await playStep(session, each, index)
  await session.close()
  return session
}

async function playStep(session: CostSession, step: Step, index: number): Promise<void> {
  const { agent } = session
  switch (step.do) {
    case 'act':
      return session.act(...step.deeds)
    case 'say':
      return session.say(`Go on with part ${index}.`)
    case 'wait':
      return session.wait(step.ms)
    case 'clock':
      return session.moveClock(step.ms)
    case 'token':
      session.token = `token-${index}`
      return
    case 'id':
      session.session = `session-${index}`
      return
    case 'organisation':
      session.organisation = `org-${index}`
      session.token = `key-${index}`
      return
    case 'restart':
      return session.restart()
    case 'model':
      return withOtherModel(session, step.requests)
    case 'rewind':
      agent.rewind(step.count)
      return session.send()
    case 'compact':
      agent.compact(step.count)
      return session.send()
    case 'subagent':
      return subagent(session, step.count, index)
    case 'locked':
      session.storeFails(true)
      for (let request = 0; request < step.count; request++)
        await session.act({ do: 'run', lines: 300 + request })
      return session.storeFails(false)
    case 'restore':
      return session.restore(session.handles.slice(0, step.count))
    case 'again':
      session.wait(2_000)
      return session.send()
    case 'aside': {
      const asked: Said = { role: 'user', parts: [{ kind: 'text', text: 'Name this chat.' }] }
      session.wait(1_000)
      return session.send([...agent.said, asked])
    }
  }
}

async function withOtherModel(session: CostSession, requests: number): Promise<void> {
  const { model } = session
  session.model = model.startsWith('gpt') ? 'gpt-5.6-sol' : 'claude-haiku-4-5'
  for (let request = 0; request < requests; request++)
    await session.act({ do: 'run', lines: 30 + request })
  session.model = model
}

/** Another conversation under the same session id, as the sub-agents of Claude Code. */
async function subagent(session: CostSession, requests: number, index: number): Promise<void> {
  const other = new AgentConversation(`sub${index}`)
  other.prompt(`Look for what part ${index} needs.`)
  await session.send(other.said)
  for (let request = 0; request < requests; request++) {
    other.act([{ do: 'read', file: request }])
    session.wait(3_000)
    await session.send(other.said)
  }
}
