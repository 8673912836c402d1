import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { EngineRequest } from '../core/engine.ts'
import { countBeforeAnswer } from '../core/words/before-answer.ts'
import type { Item } from '../core/words/item.ts'
import type { SessionKey, Store, StoredSession } from '../store/index.ts'
import { type Beginning, Branch, type Moment } from './branch.ts'
import {
  branchName,
  commonLength,
  hasMissedTurns,
  type SentMessage,
  type Standing,
  sharedLength,
  sharesCalls,
  standingOf,
} from './placement.ts'
import type { ReadRequest } from './read-request.ts'
import { relatedSessions } from './related-sessions.ts'
import { lastRequestIn, type Turn } from './session.ts'

/** The parts of a request that determine its branch. */
export interface PlacedRequest extends EnginePlace {
  readonly sent: readonly SentMessage[]
}

export interface Placement {
  readonly branch: Branch
  readonly standing: Exclude<Standing, { readonly kind: 'apart' }>
  /** For a new branch, the branch that it forks from. */
  readonly origin: Branch | null
  /** See `RequestMoment`. */
  readonly isJoined?: boolean
}

/** To whom a session belongs. */
export interface SessionOwner {
  readonly parent: string | null
  /** See `credentialHash`. */
  readonly credential: string
  /** See `SessionKey.owner`. */
  readonly owner?: string | undefined
}

export interface LiveSessionOptions {
  readonly store: Store
  readonly maker: EngineMaker
  /** The door that new sessions come through, as the store names it; `gateway` when left out. */
  readonly origin?: string
  /** Gets every session that is taken from the store. */
  readonly onOpened?: (session: StoredSession) => void
  /** Flushes pending writes. Called before anything is loaded. */
  readonly settle?: () => Promise<void>
  /** Requests go on to a provider, which may have cached what was not seen here. */
  readonly isLive?: boolean
  /** When a request was last sent unchanged without looking at its session, in milliseconds since 1970. */
  readonly passedAt?: () => number
}

/**
 * Finds the branch of another session that a request goes on with, under a new session id; null when there is none. `isBegun`
 * says that the conversation began in this session, so only one that it has whole can be its origin.
 */
export type FindOrigin = (
  request: PlacedRequest,
  options: { readonly isBegun: boolean },
) => Promise<Branch | null>

/** What is known of the history of a request. */
interface KnownPart {
  readonly branch: Branch
  readonly origin: Branch | null
  /** How many of its messages are known from other branches. */
  readonly seen: number
}

/** How many branches of one session stay in memory. */
const mostBranches = 8
const mostBeginnings = 8
/** How many calls of one answer clients send as answers of their own. */
const mostParallel = 4
/** Guards against an endless loop. No conversation forks this often. */
const mostForks = 64

/** One session of a client, under one credential. It has several branches when the client forks or rewinds. */
export class LiveSession {
  readonly name: string
  /** A hash of the credential under which it is used now. */
  account: string | undefined
  /** When it was last used, as `performance.now()` counts. */
  usedAt = 0
  readonly #owner: SessionOwner
  readonly #options: LiveSessionOptions
  readonly #findOrigin: FindOrigin
  /** The most recently used branch is last. */
  readonly #branches = new Map<string, Branch>()
  readonly #beginnings: Beginning[] = []

  constructor(
    name: string,
    owner: SessionOwner,
    options: LiveSessionOptions,
    findOrigin: FindOrigin,
  ) {
    this.name = name
    this.#owner = owner
    this.#options = options
    this.#findOrigin = findOrigin
  }

  /** See `SessionKey.owner`. */
  get owner(): string | undefined {
    return this.#owner.owner
  }

  /** The branches in memory. */
  get branches(): Iterable<Branch> {
    return this.#branches.values()
  }

  /** Finds the branch of a request in memory or in the store, or creates it. Rejects when the store fails. */
  async place(request: PlacedRequest): Promise<Placement> {
    const known = await this.#followForks(request, { creates: true })
    const isBehind =
      known?.standing.kind === 'grown' &&
      hasMissedTurns(known.branch.sent, request.sent) &&
      (await isWritten(known.branch))
    const placement = isBehind ? await this.#readAgain(known, request) : known
    if (placement !== null) return placement
    // Another conversation uses the name, so this branch is named after its own messages.
    const id = branchName(`${this.name}.own`, request.model, request.sent)
    const branch = await this.#load(id, request, null)
    this.#use(branch)
    return { branch, standing: { kind: 'empty' }, origin: null }
  }

  /** The same without creating a branch; null when no known branch begins with the same messages. */
  async find(request: PlacedRequest): Promise<Placement | null> {
    const placement = await this.#followForks(request, { creates: false })
    return placement?.standing.kind === 'empty' ? this.#placeOnOrigin(placement.origin) : placement
  }

  /** Makes a request the next turn of its branch. */
  turn(placement: Placement, request: ReadRequest, moment: Moment): Turn {
    const { branch, standing, origin, isJoined = false } = placement
    const beginning = this.#beginningOf(request.sent, moment.model)
    const placed = { standing, origin, beginning }
    const isWarm = isJoined && moment.mayBeCached !== false
    return branch.advance(request, isWarm ? { ...moment, isJoined } : moment, placed)
  }

  /**
   * The items of the request before, where this one may have fewer of them: a client that changed its history, or that began
   * a new one in the same session. null when it has only grown.
   */
  itemsBefore({ branch, standing }: Placement): readonly Item[] | null {
    if (standing.kind === 'changed') return branch.history.flatMap(({ items }) => items)
    if (standing.kind !== 'empty') return null
    const last = [...this.#branches.values()].findLast((each) => each !== branch)
    return last === undefined ? null : last.history.flatMap(({ items }) => items)
  }

  /** Projects a request without making it a turn. */
  project(placement: Placement | null, request: ReadRequest, moment: Moment): EngineRequest {
    if (placement !== null) return placement.branch.project(request, moment, placement)
    const { maker } = this.#options
    return maker
      .make([], moment)
      .request(maker.asRecorded(request.read.messages), undefined, moment)
  }

  /** Remembers a request that may turn out to be the first one of a conversation. */
  remember(beginning: Beginning): void {
    this.#beginnings.push(beginning)
    if (this.#beginnings.length > mostBeginnings) this.#beginnings.shift()
  }

  /**
   * Writes a branch into the file that replaced a lost one, so that its decisions stay in effect. False when a person removed
   * the session.
   */
  async storeAgain(branch: Branch): Promise<boolean> {
    const { store } = this.#options
    const renewals = store.renewals?.() ?? 0
    if (branch.renewals === renewals) return false
    const session = await store.openSession(this.#keyOf(branch.id, branch.cwd, null))
    branch.renewals = renewals
    return (await branch.storeAgain(store, session)).kind === 'done'
  }

  /** Removes a branch from memory. Its next request loads it again from the store. */
  drop(branch: Branch): void {
    this.#branches.delete(branch.id)
    branch.letGo()
  }

  /** Reads a branch again, which another process may have continued. When the store fails, what is in memory goes on. */
  async #readAgain(known: Placement, request: PlacedRequest): Promise<Placement | null> {
    const { branch } = known
    this.#branches.delete(branch.id)
    try {
      const placement = await this.#followForks(request, { creates: true })
      branch.letGo()
      return placement
    } catch {
      this.#use(branch)
      return known
    }
  }

  #use(branch: Branch): void {
    this.#branches.delete(branch.id)
    this.#branches.set(branch.id, branch)
    for (const oldest of this.#branches.values()) {
      if (this.#branches.size <= mostBranches) break
      this.drop(oldest)
    }
  }

  async #load(id: string, place: EnginePlace, origin: Branch | null): Promise<Branch> {
    await this.#options.settle?.()
    const session = await this.#options.store.openSession(this.#keyOf(id, place.cwd, origin))
    this.#options.onOpened?.(session)
    return new Branch(await this.#options.store.load(session), this.#options, place)
  }

  #keyOf(id: string, folder: string | null, origin: Branch | null): SessionKey {
    return {
      id,
      parent: origin?.id ?? (id === this.name ? this.#owner.parent : this.name),
      origin: this.#options.origin ?? 'gateway',
      folder,
      credential: this.#owner.credential,
      ...(this.#owner.owner === undefined ? {} : { owner: this.#owner.owner }),
    }
  }

  /** The same without creating a session in the store. */
  async #loadKnown(id: string, place: EnginePlace): Promise<Branch | undefined> {
    const session = await this.#options.store.findSession({
      id,
      credential: this.#owner.credential,
    })
    if (session === null) return undefined
    this.#options.onOpened?.(session)
    await this.#options.settle?.()
    return new Branch(await this.#options.store.load(session), this.#options, place)
  }

  /** Finds a branch by the tool calls in the request, for clients that changed the messages before them. */
  async #relatedBranch(request: PlacedRequest): Promise<Branch | undefined> {
    const { sent, model } = request
    if (!sent.some(({ hasCalls }) => hasCalls)) return undefined
    const isRelated = (branch: Branch): boolean =>
      sharesCalls(sent, branch.sent) && standingOf(sent, model, branch).kind !== 'apart'
    const known = [...this.#branches.values()].findLast(isRelated)
    if (known !== undefined) return known
    for (const { id, credential: owner } of await relatedSessions(
      this.#options,
      sent,
      this.#owner.owner,
    )) {
      if (owner !== this.#owner.credential || this.#branches.has(id)) continue
      const branch = await this.#loadKnown(id, request)
      if (branch !== undefined && isRelated(branch)) return branch
    }
    return undefined
  }

  /** The longest branch in memory that the request continues. */
  #continuedBranch({ sent, model }: PlacedRequest): Placement | null {
    let best: Placement | null = null
    for (const branch of this.#branches.values()) {
      if (branch.sent.length <= (best?.branch.sent.length ?? 0)) continue
      const standing = standingOf(sent, model, branch)
      const continues = standing.kind === 'grown' || standing.kind === 'asked'
      const isJoined = continues && this.#isJoined({ sent }, { branch, origin: null, seen: 0 })
      if (continues) best = { branch, standing, origin: null, isJoined }
    }
    return best
  }

  /**
   * Whether requests of its history bypassed us. Some clients write the parallel calls of one answer as several answers, so a
   * few of them after the known part count only if requests were sent unchanged since, here or by an earlier process.
   */
  #isJoined({ sent }: Pick<PlacedRequest, 'sent'>, { branch, origin, seen }: KnownPart): boolean {
    const { isLive, passedAt } = this.#options
    if (isLive !== true) return false
    const known = Math.max(seen, branch.sent.length)
    const missed = sent.slice(known, countBeforeAnswer(sent))
    if (missed.length === 0) return false
    const answers = missed.filter(({ role }) => role === 'assistant').length
    const isAnsweredPrompt = missed.some(({ words }) => words !== null)
    if (known === 0 || isAnsweredPrompt || answers > mostParallel) return true
    const lastAt = lastTimeOf(branch) ?? (origin === null ? null : lastTimeOf(origin))
    return answers > 0 && lastAt !== null && passedAt !== undefined && passedAt() > lastAt
  }

  /** The placement of a request that would fork. The decisions about the shared beginning apply to it too. */
  #placeOnOrigin(origin: Branch | null): Placement | null {
    if (origin === null) return null
    this.#use(origin)
    return { branch: origin, standing: { kind: 'changed' }, origin: null }
  }

  /** Follows the forks of the session from its first branch to the one that the request belongs to. */
  async #followForks(
    request: PlacedRequest,
    { creates }: { readonly creates: boolean },
  ): Promise<Placement | null> {
    const { sent, model } = request
    const continued = this.#continuedBranch(request)
    if (continued !== null) {
      this.#use(continued.branch)
      return continued
    }
    let id = this.name
    let origin: Branch | null = null
    /** How much of the request was seen before, by any model. */
    let seen = 0
    for (let step = 0; step < mostForks; step++) {
      const known: Branch | undefined = await this.#knownBranch(id, request)
      if (known === undefined && origin === null) {
        const isBegun = this.#beginningOf(sent, model) !== null
        origin = await this.#findOrigin(request, { isBegun })
      }
      const branch: Branch | undefined =
        known ?? (creates ? await this.#load(id, request, origin) : undefined)
      if (branch === undefined) return this.#placeOnOrigin(origin)
      const standing = standingOf(sent, model, branch)
      if (standing.kind !== 'apart') {
        this.#use(branch)
        if (origin !== null) seen = Math.max(seen, sharedLength(sent, origin.sent))
        return {
          branch,
          standing,
          origin,
          isJoined: this.#isJoined(request, { branch, origin, seen }),
        }
      }
      seen = Math.max(seen, sharedLength(sent, branch.sent))
      // Conversations that share only a system prompt have no decisions in common.
      if (sent.slice(0, standing.common).some(({ role }) => role === 'assistant')) origin = branch
      id = branchName(this.name, model, sent.slice(0, standing.common + 1))
      if (id === branch.id) break
    }
    return null
  }

  async #knownBranch(id: string, request: PlacedRequest): Promise<Branch | undefined> {
    return (
      this.#branches.get(id) ?? (await this.#loadKnown(id, request)) ?? this.#relatedBranch(request)
    )
  }

  /** The remembered request that this one continues. */
  #beginningOf(sent: readonly SentMessage[], model: string | null): Beginning | null {
    const isBeginning = (each: Beginning): boolean =>
      each.model === model &&
      each.sent.length < sent.length &&
      commonLength(each.sent, sent) === each.sent.length
    return this.#beginnings.findLast(isBeginning) ?? null
  }
}

/** When the last request of a branch was sent; null when that is not known. */
function lastTimeOf({ earlier, engine }: Branch): number | null {
  return lastRequestIn(earlier ?? engine.ledger.entries)?.at ?? null
}

/** Whether all that a branch has in memory is in the store now, so that it can be read from there. */
function isWritten(branch: Branch): Promise<boolean> {
  return branch.commit().then(
    () => true,
    () => false,
  )
}
