import { changedItems, describeItem } from '../context/changes.ts'
import { chosenItems } from '../context/context.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standing, statusAt } from '../state/as-of.ts'
import type { Injection, MemoryState } from '../state/memory-state.ts'
import { type Injected, type InjectedLine, injectedText } from './injected.ts'

/** The parts of a request that memory injection needs. */
export interface InjectRequest {
  readonly session: string
  readonly place: Place
  /** How many messages it has. */
  readonly count: number
  /** A key for a message and all messages before it, the same in every request. */
  keyOf(index: number): string
  /** The first message of the user. Memory is injected before it. */
  readonly firstUser: number
  /** The conversation has no answer yet. */
  readonly isFirst: boolean
  /** Nothing of it is cached, so the injected text may change. */
  readonly isCold: boolean
  /** The task, to rank items by when not all fit. */
  readonly task?: string
  readonly budgetTokens?: number
}

/** A text before or after a message of the request. */
export interface InjectedText {
  readonly index: number
  readonly side: 'before' | 'behind'
  readonly text: string
}

/**
 * The memory to inject into this request: the texts of earlier requests at the same positions, and at the end what
 * changed since. The beginning is only rewritten when nothing is cached. The result is saved; when another process was
 * first, its texts are returned.
 */
export async function injectMemory(
  memory: Memory,
  request: InjectRequest,
): Promise<readonly InjectedText[]> {
  await memory.save()
  if (recordInjection(memory, request)) await memory.save()
  return textsInjected(memory, request)
}

/** Records what to inject; false when there is nothing new. */
function recordInjection(memory: Memory, request: InjectRequest): boolean {
  const current = currentInjections(memory.state, request)
  const planned = planInjection(memory, request, current)
  if (planned === null) return false
  const { session, count, firstUser, keyOf } = request
  const place = keyOf(planned.side === 'before' ? firstUser : count - 1)
  const told: Injected = { session, place, ...planned }
  memory.write(({ state, at }) => {
    // When another process injected into this conversation first, its text stays.
    const isFirst = areSame(currentInjections(state, request), current)
    return { events: isFirst ? [{ kind: 'told', at, told }] : [], result: undefined }
  })
  return true
}

function areSame(some: readonly Injection[], others: readonly Injection[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ at, told }, index) => {
      const other = others[index]
      if (other?.at !== at) return false
      return other.told.place === told.place && other.told.form === told.form
    })
  )
}

function planInjection(
  memory: Memory,
  request: InjectRequest,
  current: readonly Injection[],
): Pick<Injected, 'form' | 'side' | 'lines'> | null {
  if (current.length > 0) {
    const lines = changedSince(memory, request, current)
    if (lines.length === 0 && (current.length === 1 || !request.isCold)) return null
    if (!request.isCold) return { form: 'changes', side: 'behind', lines }
  }
  // When no injected text is in the history any more, the client has rewritten the history.
  const isRewritten = current.length === 0 && memory.state.told.has(request.session)
  const side = request.isFirst || request.isCold || isRewritten ? 'before' : 'behind'
  return { form: 'context', side, lines: contextLines(memory, request) }
}

/** The texts that earlier requests of the conversation injected. Adds none. */
export async function injectedSoFar(
  memory: Memory,
  request: InjectRequest,
): Promise<readonly InjectedText[]> {
  await memory.save()
  return textsInjected(memory, request)
}

function textsInjected(memory: Memory, request: InjectRequest): readonly InjectedText[] {
  return placed(currentInjections(memory.state, request), request)
}

/** The newest context in this history, and the changes after it. */
function currentInjections(state: MemoryState, request: InjectRequest): readonly Injection[] {
  const known = state.told.get(request.session) ?? []
  if (known.length === 0) return []
  const keys = indexByKey(request)
  const here = known.filter(({ told }) => keys.has(told.place))
  const start = here.findLastIndex(({ told }) => told.form === 'context')
  return start === -1 ? [] : here.slice(start)
}

function placed(injections: readonly Injection[], request: InjectRequest): readonly InjectedText[] {
  const keys = indexByKey(request)
  return injections.flatMap(({ told: injected }) => {
    const text = injectedText(injected)
    const index = keys.get(injected.place)
    return text === null || index === undefined ? [] : [{ index, side: injected.side, text }]
  })
}

function indexByKey({ count, keyOf }: InjectRequest): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: count }, (_, index) => [keyOf(index), index]))
}

function contextLines(
  memory: Memory,
  { place, task, budgetTokens }: InjectRequest,
): readonly InjectedLine[] {
  const options = {
    ...(task === undefined ? {} : { query: task }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  }
  return chosenItems(memory, place, options).map(({ item }) => ({
    item: item.id,
    section: item.kind,
    text: describeItem(item, memory.state),
  }))
}

function changedSince(
  memory: Memory,
  { place, session }: InjectRequest,
  current: readonly Injection[],
): readonly InjectedLine[] {
  const { state } = memory
  const now = memory.now()
  const comparisons = lastComparisons.get(state) ?? new Map<string, Comparison>()
  lastComparisons.set(state, comparisons)
  const last = comparisons.get(session)
  const newest = current.at(-1)
  // Without new events only expiry dates can change the memory, and those may be noticed late.
  if (last?.revision === state.revision && last.newest === newest && now - last.at < compareEveryMs)
    return []
  const lines = linesSince(memory, place, current)
  if (lines.length === 0) comparisons.set(session, { revision: state.revision, newest, at: now })
  return lines
}

interface Comparison {
  readonly revision: number
  readonly newest: Injection | undefined
  readonly at: number
}

const compareEveryMs = 60_000
/** When each conversation was last compared with the memory. With many items the comparison is slow. */
const lastComparisons = new WeakMap<MemoryState, Map<string, Comparison>>()

function linesSince(
  memory: Memory,
  place: Place,
  current: readonly Injection[],
): readonly InjectedLine[] {
  const { state } = memory
  const sections = new Map<string, InjectedLine['section']>()
  for (const { told: injected } of current)
    for (const { item, section, was } of injected.lines) {
      sections.set(item, section)
      if (was !== undefined) sections.set(was.item, 'gone')
    }
  const isInjected = (id: string): boolean => (sections.get(id) ?? 'gone') !== 'gone'
  const replaced = new Set<string>()
  const added = changedItems(memory, place, current.at(-1)?.at ?? 0).flatMap(
    ({ entry: { item, replaces }, op, before }): readonly InjectedLine[] => {
      if (op === 'ended' || isInjected(item.id)) return []
      for (const link of standing(replaces)) replaced.add(link.old)
      const was = before && { item: before.id, text: before.value ?? before.text }
      const line = { item: item.id, section: item.kind, text: describeItem(item, state) }
      return [was === undefined ? line : { ...line, was }]
    },
  )
  const now = memory.now()
  const ended = [...sections.keys()].flatMap((id): readonly InjectedLine[] => {
    const entry = state.items.get(id)
    if (!entry || !isInjected(id) || replaced.has(id) || statusAt(entry, now) === 'current')
      return []
    return [{ item: id, section: 'gone', text: entry.item.text }]
  })
  return [...added, ...ended]
}
