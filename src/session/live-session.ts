import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { EngineRequest } from '../core/engine.ts'
import type { Store } from '../store/index.ts'
import { type Beginning, Branch, type Moment } from './branch.ts'
import { credentialHash, type Identity } from './identity.ts'
import {
  branchName,
  commonLength,
  type SentMessage,
  type Standing,
  sharesCalls,
  standingOf,
} from './placement.ts'
import type { ReadRequest } from './read-request.ts'
import { relatedSessions } from './related-sessions.ts'
import type { Turn } from './session.ts'

/** What is needed of a request to find the branch that it belongs to. */
export interface PlacedRequest extends EnginePlace {
  readonly sent: readonly SentMessage[]
}

export interface Placement {
  readonly branch: Branch
  readonly standing: Exclude<Standing, { readonly kind: 'apart' }>
  /** For an empty branch, the one that it leaves: both begin with the same messages. */
  readonly origin: Branch | null
}

/** One session of a client, under one credential. Clients fork and rewind, so that it has one or more branches. */
export interface LiveSession {
  readonly name: string
  /** Finds the branch of a request, in memory or in the store, or makes it. Rejects when the store does. */
  place(request: PlacedRequest): Promise<Placement>
  /** The same without making any: null when no known branch begins as the request does. */
  find(request: PlacedRequest): Promise<Placement | null>
  /** Makes a request the next turn of the branch that it was placed on. */
  turn(placement: Placement, request: ReadRequest, moment: Moment): Turn
  /** What a request would look like that is no turn of any branch. */
  project(placement: Placement | null, request: ReadRequest, moment: Moment): EngineRequest
  /** Those that are in memory. */
  readonly branches: Iterable<Branch>
  /** Forgets a branch, which is then loaded again. */
  drop(branch: Branch): void
  /** Keeps a request in mind that may be the first of a conversation, or one beside it. */
  remember(beginning: Beginning): void
}

export interface LiveSessionOptions {
  readonly store: Store
  readonly maker: EngineMaker
  /** Writes what still waits to be written, before anything is loaded. */
  readonly settle?: () => Promise<void>
}

/** Branches of one session that are kept in memory; the others are in the store. */
const mostBranches = 8
const mostBeginnings = 8
/** No conversation forks this often: a longer walk would not end at all. */
const longestWalk = 64

export function createLiveSession(
  name: string,
  identity: Identity,
  { store, maker, settle }: LiveSessionOptions,
): LiveSession {
  const credential = credentialHash(identity.credential, name)
  /** The last used last. */
  const branches = new Map<string, Branch>()
  const beginnings: Beginning[] = []

  function drop(branch: Branch): void {
    branches.delete(branch.id)
    branch.letGo()
  }

  function use(branch: Branch): void {
    branches.delete(branch.id)
    branches.set(branch.id, branch)
    for (const oldest of branches.values()) {
      if (branches.size <= mostBranches) break
      drop(oldest)
    }
  }

  async function load(id: string, place: EnginePlace, origin: Branch | null): Promise<Branch> {
    const parent = origin?.id ?? (id === name ? identity.parent : name)
    await settle?.()
    const folder = place.cwd
    const session = await store.openSession({ id, parent, origin: 'gateway', folder, credential })
    return new Branch(await store.load(session), { store, maker }, place)
  }

  /** The same without making one. */
  async function loadKnown(id: string, place: EnginePlace): Promise<Branch | undefined> {
    const session = await store.findSession({ id, credential })
    if (session === null) return undefined
    await settle?.()
    return new Branch(await store.load(session), { store, maker }, place)
  }

  /** A branch whose calls the request has, though nothing before them leads to it any more. */
  async function relatedBranch(request: PlacedRequest): Promise<Branch | undefined> {
    const { sent, model } = request
    if (!sent.some(({ hasCalls }) => hasCalls)) return undefined
    const isRelated = (branch: Branch): boolean =>
      sharesCalls(sent, branch.sent) && standingOf(sent, model, branch).kind !== 'apart'
    const known = [...branches.values()].findLast(isRelated)
    if (known !== undefined) return known
    for (const { id, credential: owner } of await relatedSessions(store, sent)) {
      if (owner !== credential || branches.has(id)) continue
      const branch = await loadKnown(id, request)
      if (branch !== undefined && isRelated(branch)) return branch
    }
    return undefined
  }

  /** The longest branch in memory that the request simply continues. */
  function continued({ sent, model }: PlacedRequest): Placement | null {
    let best: Placement | null = null
    for (const branch of branches.values()) {
      if (branch.sent.length <= (best?.branch.sent.length ?? 0)) continue
      const standing = standingOf(sent, model, branch)
      const continues = standing.kind === 'grown' || standing.kind === 'asked'
      if (continues) best = { branch, standing, origin: null }
    }
    return best
  }

  /** Where a request stands that would fork: what was decided about the shared beginning holds for it too. */
  function leaving(origin: Branch | null): Placement | null {
    if (origin === null) return null
    use(origin)
    return { branch: origin, standing: { kind: 'changed' }, origin: null }
  }

  /** Follows the forks of the session from its first branch to the one that the request belongs to. */
  async function walk(request: PlacedRequest, known: typeof branchOf): Promise<Placement | null> {
    const { sent, model } = request
    const simple = continued(request)
    if (simple !== null) {
      use(simple.branch)
      return simple
    }
    let id = name
    let origin: Branch | null = null
    for (let step = 0; step < longestWalk; step++) {
      const branch: Branch | undefined = await known(id, request, origin)
      if (branch === undefined) return leaving(origin)
      const standing = standingOf(sent, model, branch)
      if (standing.kind !== 'apart') {
        use(branch)
        return { branch, standing, origin }
      }
      // Conversations that share only a system prompt have no decisions in common.
      if (sent.slice(0, standing.common).some(({ role }) => role === 'assistant')) origin = branch
      id = branchName(name, model, sent.slice(0, standing.common + 1))
      if (id === branch.id) break
    }
    return null
  }

  async function knownBranch(id: string, request: PlacedRequest): Promise<Branch | undefined> {
    return branches.get(id) ?? (await loadKnown(id, request)) ?? relatedBranch(request)
  }

  async function branchOf(
    id: string,
    request: PlacedRequest,
    origin: Branch | null,
  ): Promise<Branch | undefined> {
    return (await knownBranch(id, request)) ?? load(id, request, origin)
  }

  /** The request that was kept in mind and that this one continues. */
  function beginningOf(sent: readonly SentMessage[], model: string | null): Beginning | null {
    const isBeginning = (each: Beginning): boolean =>
      each.model === model &&
      each.sent.length < sent.length &&
      commonLength(each.sent, sent) === each.sent.length
    return beginnings.findLast(isBeginning) ?? null
  }

  return {
    name,
    async place(request) {
      const placement = await walk(request, branchOf)
      if (placement !== null) return placement
      // Another conversation has the name, so this one is named after its own messages.
      const id = branchName(`${name}.own`, request.model, request.sent)
      const branch = await load(id, request, null)
      use(branch)
      return { branch, standing: { kind: 'empty' }, origin: null }
    },
    async find(request) {
      const placement = await walk(request, knownBranch)
      return placement?.standing.kind === 'empty' ? leaving(placement.origin) : placement
    },
    turn({ branch, ...how }, request, moment) {
      const beginning = beginningOf(request.sent, moment.model)
      return branch.advance(request, moment, { ...how, beginning })
    },
    project(placement, request, moment) {
      if (placement !== null) return placement.branch.project(request, moment, placement)
      return maker.make([], moment).request(request.read.messages, undefined, moment)
    },
    get branches(): Iterable<Branch> {
      return branches.values()
    },
    drop,
    remember(beginning) {
      beginnings.push(beginning)
      if (beginnings.length > mostBeginnings) beginnings.shift()
    },
  }
}
