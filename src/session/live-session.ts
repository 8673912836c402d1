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

/** The parts of a request that determine its branch. */
export interface PlacedRequest extends EnginePlace {
  readonly sent: readonly SentMessage[]
}

export interface Placement {
  readonly branch: Branch
  readonly standing: Exclude<Standing, { readonly kind: 'apart' }>
  /** For a new branch, the branch that it forks from. */
  readonly origin: Branch | null
}

/** One session of a client, under one credential. It has several branches when the client forks or rewinds. */
export interface LiveSession {
  readonly name: string
  /** Finds the branch of a request in memory or in the store, or creates it. Rejects when the store fails. */
  place(request: PlacedRequest): Promise<Placement>
  /** The same without creating a branch; null when no known branch begins with the same messages. */
  find(request: PlacedRequest): Promise<Placement | null>
  /** Makes a request the next turn of its branch. */
  turn(placement: Placement, request: ReadRequest, moment: Moment): Turn
  /** Projects a request without making it a turn. */
  project(placement: Placement | null, request: ReadRequest, moment: Moment): EngineRequest
  /** The branches in memory. */
  readonly branches: Iterable<Branch>
  /** Removes a branch from memory. Its next request loads it again from the store. */
  drop(branch: Branch): void
  /** Remembers a request that may turn out to be the first one of a conversation. */
  remember(beginning: Beginning): void
}

export interface LiveSessionOptions {
  readonly store: Store
  readonly maker: EngineMaker
  /** Flushes pending writes. Called before anything is loaded. */
  readonly settle?: () => Promise<void>
}

/** How many branches of one session stay in memory. */
const mostBranches = 8
const mostBeginnings = 8
/** Guards against an endless loop. No conversation forks this often. */
const mostForks = 64

export function createLiveSession(
  name: string,
  identity: Identity,
  { store, maker, settle }: LiveSessionOptions,
): LiveSession {
  const credential = credentialHash(identity.credential, name)
  /** The most recently used branch is last. */
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

  /** The same without creating a session in the store. */
  async function loadKnown(id: string, place: EnginePlace): Promise<Branch | undefined> {
    const session = await store.findSession({ id, credential })
    if (session === null) return undefined
    await settle?.()
    return new Branch(await store.load(session), { store, maker }, place)
  }

  /** Finds a branch by the tool calls in the request, for clients that changed the messages before them. */
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

  /** The longest branch in memory that the request continues. */
  function continuedBranch({ sent, model }: PlacedRequest): Placement | null {
    let best: Placement | null = null
    for (const branch of branches.values()) {
      if (branch.sent.length <= (best?.branch.sent.length ?? 0)) continue
      const standing = standingOf(sent, model, branch)
      const continues = standing.kind === 'grown' || standing.kind === 'asked'
      if (continues) best = { branch, standing, origin: null }
    }
    return best
  }

  /** The placement of a request that would fork. The decisions about the shared beginning apply to it too. */
  function placeOnOrigin(origin: Branch | null): Placement | null {
    if (origin === null) return null
    use(origin)
    return { branch: origin, standing: { kind: 'changed' }, origin: null }
  }

  /** Follows the forks of the session from its first branch to the one that the request belongs to. */
  async function followForks(
    request: PlacedRequest,
    findBranch: typeof branchOf,
  ): Promise<Placement | null> {
    const { sent, model } = request
    const continued = continuedBranch(request)
    if (continued !== null) {
      use(continued.branch)
      return continued
    }
    let id = name
    let origin: Branch | null = null
    for (let step = 0; step < mostForks; step++) {
      const branch: Branch | undefined = await findBranch(id, request, origin)
      if (branch === undefined) return placeOnOrigin(origin)
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

  /** The remembered request that this one continues. */
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
      const placement = await followForks(request, branchOf)
      if (placement !== null) return placement
      // Another conversation uses the name, so this branch is named after its own messages.
      const id = branchName(`${name}.own`, request.model, request.sent)
      const branch = await load(id, request, null)
      use(branch)
      return { branch, standing: { kind: 'empty' }, origin: null }
    },
    async find(request) {
      const placement = await followForks(request, knownBranch)
      return placement?.standing.kind === 'empty' ? placeOnOrigin(placement.origin) : placement
    },
    turn({ branch, ...placement }, request, moment) {
      const beginning = beginningOf(request.sent, moment.model)
      return branch.advance(request, moment, { ...placement, beginning })
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
