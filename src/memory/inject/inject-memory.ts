import { changedItems, describeItem } from '../context/changes.ts'
import { chosenItems } from '../context/context.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standingLinks, statusAt } from '../state/as-of.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { type Injected, type InjectedLine, injectedText } from './injected.ts'

/** What injecting memory needs to know about a request. */
export interface InjectRequest {
  readonly session: string
  readonly place: Place
  /** How many messages it has. */
  readonly count: number
  /** Identifies a message together with all before it, the same in every request. */
  keyOf(index: number): string
  /** The first message of the user. Memory is injected before it. */
  readonly firstUser: number
  /** There is no answer yet. */
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

type Entry = MemoryState['told'] extends ReadonlyMap<string, readonly (infer One)[]> ? One : never

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
  if (write(memory, request)) await memory.save()
  return textsInjected(memory, request)
}

/** Records what to inject; false when there is nothing new. */
function write(memory: Memory, request: InjectRequest): boolean {
  const standing = standingEntries(memory.state, request)
  const news = newsFor(memory, request, standing)
  if (news === null) return false
  const { session, count, firstUser, keyOf } = request
  const place = keyOf(news.side === 'before' ? firstUser : count - 1)
  const told: Injected = { session, place, ...news }
  memory.write(({ state, at }) => {
    // Another process may have injected something into this conversation first; then that stays.
    const isFirst = areSame(standingEntries(state, request), standing)
    return { events: isFirst ? [{ kind: 'told', at, told }] : [], result: undefined }
  })
  return true
}

function areSame(some: readonly Entry[], others: readonly Entry[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ at, told }, index) => {
      const other = others[index]
      return other?.at === at && other.told.place === told.place && other.told.form === told.form
    })
  )
}

function newsFor(
  memory: Memory,
  request: InjectRequest,
  standing: readonly Entry[],
): Pick<Injected, 'form' | 'side' | 'lines'> | null {
  if (standing.length > 0) {
    const lines = changedSince(memory, request, standing)
    if (lines.length === 0 && (standing.length === 1 || !request.isCold)) return null
    if (!request.isCold) return { form: 'changes', side: 'behind', lines }
  }
  // When no injected text is in the history any more, the client has rewritten the history.
  const isRewritten = standing.length === 0 && memory.state.told.has(request.session)
  const side = request.isFirst || request.isCold || isRewritten ? 'before' : 'behind'
  return { form: 'context', side, lines: contextLines(memory, request) }
}

/** The texts injected so far, for a request beside the conversation. */
export async function injectedSoFar(
  memory: Memory,
  request: InjectRequest,
): Promise<readonly InjectedText[]> {
  await memory.save()
  return textsInjected(memory, request)
}

function textsInjected(memory: Memory, request: InjectRequest): readonly InjectedText[] {
  return placed(standingEntries(memory.state, request), request)
}

/** The newest context in this history, and the changes after it. */
function standingEntries(state: MemoryState, request: InjectRequest): readonly Entry[] {
  const known = state.told.get(request.session) ?? []
  if (known.length === 0) return []
  const keys = new Map<string, number>()
  for (let index = 0; index < request.count; index++) keys.set(request.keyOf(index), index)
  const here = known.filter(({ told }) => keys.has(told.place))
  const start = here.findLastIndex(({ told }) => told.form === 'context')
  return start === -1 ? [] : here.slice(start)
}

function placed(entries: readonly Entry[], request: InjectRequest): readonly InjectedText[] {
  const keys = new Map<string, number>()
  for (let index = 0; index < request.count; index++) keys.set(request.keyOf(index), index)
  return entries.flatMap(({ told }) => {
    const text = injectedText(told)
    const index = keys.get(told.place)
    return text === null || index === undefined ? [] : [{ index, side: told.side, text }]
  })
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
    text: describeItem(item),
  }))
}

function changedSince(
  memory: Memory,
  { place, session }: InjectRequest,
  standing: readonly Entry[],
): readonly InjectedLine[] {
  const { state } = memory
  const now = memory.now()
  const looks = lastLooks.get(state) ?? new Map<string, Look>()
  lastLooks.set(state, looks)
  const last = looks.get(session)
  const newest = standing.at(-1)
  // Without new events only expiry dates can change something, and that may wait.
  if (last?.revision === state.revision && last.newest === newest && now - last.at < lookEveryMs)
    return []
  const lines = linesSince(memory, place, standing)
  if (lines.length === 0) looks.set(session, { revision: state.revision, newest, at: now })
  return lines
}

interface Look {
  readonly revision: number
  readonly newest: Entry | undefined
  readonly at: number
}

const lookEveryMs = 60_000
/** When each conversation was last up to date. Comparing is slow with many items. */
const lastLooks = new WeakMap<MemoryState, Map<string, Look>>()

function linesSince(
  memory: Memory,
  place: Place,
  standing: readonly Entry[],
): readonly InjectedLine[] {
  const { state } = memory
  const told = new Map<string, InjectedLine['section']>()
  for (const { told: each } of standing)
    for (const { item, section, was } of each.lines) {
      told.set(item, section)
      if (was !== undefined) told.set(was.item, 'gone')
    }
  const isTold = (id: string): boolean => (told.get(id) ?? 'gone') !== 'gone'
  const replaced = new Set<string>()
  const came = changedItems(memory, place, standing.at(-1)?.at ?? 0).flatMap(
    ({ entry: { item, replaces }, op, before }): readonly InjectedLine[] => {
      if (op === 'gone' || isTold(item.id)) return []
      for (const link of standingLinks(replaces)) replaced.add(link.old)
      const was = before && { item: before.id, text: before.value ?? before.text }
      const line = { item: item.id, section: item.kind, text: describeItem(item) }
      return [was === undefined ? line : { ...line, was }]
    },
  )
  const now = memory.now()
  const gone = [...told.keys()].flatMap((id): readonly InjectedLine[] => {
    const entry = state.items.get(id)
    if (!entry || !isTold(id) || replaced.has(id) || statusAt(entry, now) === 'current') return []
    return [{ item: id, section: 'gone', text: entry.item.text }]
  })
  return [...came, ...gone]
}
