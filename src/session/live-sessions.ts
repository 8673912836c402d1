import { getHeapStatistics } from 'node:v8'
import type { EnginePlace } from '../config/engine-maker.ts'
import type { Body, BodyFormatName } from '../formats/format.ts'
import { createQueues } from '../store/queue.ts'
import type { StoredSession } from '../store/store.ts'
import { Branch } from './branch.ts'
import { auditPrefix, credentialHash, type Identity, isSessionOf } from './identity.ts'
import {
  type FindOrigin,
  LiveSession,
  type LiveSessionOptions,
  type PlacedRequest,
  type SessionOwner,
} from './live-session.ts'
import { hasWhole, type SentMessage, sharedLength, sharesCalls } from './placement.ts'
import { type ReadRequest, readRequest } from './read-request.ts'
import { relatedSessions } from './related-sessions.ts'

export interface LiveSessionsOptions extends LiveSessionOptions {
  /**
   * A session belongs to one credential. Another one that sends its whole history gets a session of its own with the same
   * decisions.
   */
  readonly keepsApart?: boolean
  /** Limit for the request bodies of all sessions in memory, in bytes. Other sessions are loaded when needed. */
  readonly memoryBytes?: number
}

/** A session takes about four times as much memory as its body. */
const defaultMemoryBytes = 40 * 1024 * 1024
/** How many bytes of parsed bodies to keep. With one, the next request is parsed only where it differs. */
const defaultBodyBytes = 16 * 1024 * 1024
/**
 * Sessions that were used in this time stay beyond these limits, up to a share of the heap, because each would soon have to be
 * loaded again, which takes about twenty times as long as a turn.
 */
const recentMs = 60_000
const recentBytes = getHeapStatistics().heap_size_limit / 16
/** How many of the recently used unnamed sessions to compare with a request. */
const mostCompared = 6

/** The recently used sessions, in memory. */
export class LiveSessions {
  readonly #options: LiveSessionOptions
  readonly #keepsApart: boolean
  readonly #limits: SessionLimits
  /** The most recently used session is last. */
  readonly #sessions = new Map<string, LiveSession>()
  /** Another credential's name for a session that is open under the first one. */
  readonly #aliases = new Map<string, string>()
  readonly #queues = createQueues()
  /** The size of each session when it was last used. */
  readonly #sizes = new Map<LiveSession, SessionSize>()
  readonly #total: SessionSize = { bytes: 0, held: 0 }
  #passedAt = -Infinity

  constructor({ memoryBytes, keepsApart = false, ...options }: LiveSessionsOptions) {
    this.#keepsApart = keepsApart
    this.#limits =
      memoryBytes === undefined
        ? { resting: { bytes: defaultMemoryBytes, held: defaultBodyBytes }, recent: recentBytes }
        : { resting: { bytes: memoryBytes, held: defaultBodyBytes }, recent: memoryBytes }
    this.#options = { ...options, passedAt: () => this.#passedAt }
  }

  /**
   * A request was sent unchanged, without looking at its session. Also called when the process starts, because an earlier one
   * may have sent requests like that.
   */
  notePassed(at: number): void {
    this.#passedAt = Math.max(this.#passedAt, at)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Whether a request of this client probably belongs to a session in memory. */
  has({ session, credential }: Identity): boolean {
    if (session !== null) return this.#sessions.has(keyOf(credential, session))
    return this.#unnamed(credential).next().done !== true
  }

  read(identity: Identity, format: BodyFormatName, body: Body): ReadRequest {
    const { session, credential } = identity
    const candidates =
      session === null
        ? [...this.#unnamed(credential)].flatMap(({ branches }) => [...branches])
        : (this.#sessions.get(this.#keyOf(identity, session))?.branches ?? [])
    return readRequest(format, body, candidates, this.#options.maker.asRecorded)
  }

  /** Whether the branch that a request goes on with is in memory, so that it can be decided without the store. */
  holds(identity: Identity, { sent }: ReadRequest): boolean {
    const { session, credential } = identity
    const named = session === null ? null : this.#sessions.get(this.#keyOf(identity, session))
    const known =
      named === null ? [...this.#unnamed(credential)] : named === undefined ? [] : [named]
    return known.some(({ branches }) =>
      [...branches].some(
        (branch) =>
          branch.sent.length > 0 && sharedLength(sent, branch.sent) === branch.sent.length,
      ),
    )
  }

  /** Runs `work` with the request's session. Requests of one session run one after the other. */
  async use<Result>(
    identity: Identity,
    { sent }: ReadRequest,
    work: (session: LiveSession) => Promise<Result>,
  ): Promise<Result> {
    const name = identity.session ?? (await this.#nameOf(sent, identity))
    const key = this.#keyOf(identity, name, sent)
    return this.#queues.run(key, async () => {
      const session = this.#sessions.get(key) ?? (await this.#create(name, identity, sent))
      this.#sessions.delete(key)
      this.#sessions.set(key, session)
      session.usedAt = performance.now()
      session.account = credentialHash(identity.credential, name)
      try {
        return await work(session)
      } finally {
        this.#shrink(key, session)
      }
    })
  }

  /**
   * The key of a session in memory. A refreshed token, or another one of the same account, goes on with the session of the
   * same id whose tool calls it sends, or without an id with the one whose whole history it sends.
   */
  #keyOf(identity: Identity, name: string, sent: readonly SentMessage[] = []): string {
    const { credential, owner } = identity
    const own = keyOf(credential, name)
    if (this.#keepsApart || this.#sessions.has(own)) return own
    const alias = this.#aliases.get(own)
    if (alias !== undefined) return alias
    for (const [key, session] of this.#sessions) {
      if (session.name !== name || session.owner !== owner) continue
      if (![...session.branches].some((branch) => belongsTo(identity, sent, branch))) continue
      this.#aliases.set(own, key)
      return key
    }
    return own
  }

  async #create(
    name: string,
    identity: Identity,
    sent: readonly SentMessage[],
  ): Promise<LiveSession> {
    const owner = await this.#ownerOf(name, identity, sent)
    const findOrigin: FindOrigin = (request, { isBegun }) =>
      this.#originOf(name, identity, { ...request, isBegun })
    const options = identity.isPart === true ? { ...this.#options, isLive: false } : this.#options
    return new LiveSession(name, owner, options, findOrigin)
  }

  /** The same for a session in the store. */
  async #ownerOf(
    name: string,
    identity: Identity,
    sent: readonly SentMessage[],
  ): Promise<SessionOwner> {
    const { parent, credential, owner } = identity
    const own = credentialHash(credential, name)
    // Sessions of people who share a store stay apart, whatever they send.
    if (owner !== undefined) return { parent, credential: own, owner }
    if (this.#keepsApart) return { parent, credential: own }
    const related = await relatedSessions(this.#options, sent, owner)
    const named = related.filter(({ id }) => id === name || id.startsWith(`${name}.`))
    if (named.some((stored) => stored.credential === own)) return { parent, credential: own }
    for (const stored of named) {
      const branch = await this.#load(stored, { cwd: null, model: null })
      if (belongsTo(identity, sent, branch)) return { parent, credential: stored.credential }
    }
    return { parent, credential: own }
  }

  /**
   * The branch of another session that a request goes on with: some clients take a new id when they resume. The same client may
   * go back as it does so.
   */
  async #originOf(
    name: string,
    { credential, owner }: Identity,
    request: PlacedRequest & { readonly isBegun: boolean },
  ): Promise<Branch | null> {
    const { sent, model, isBegun } = request
    const isOrigin = (branch: Branch, isOwn: boolean): boolean =>
      branch.model === model &&
      (isOwn && !isBegun ? sharesCalls(sent, branch.sent) : hasWhole(sent, branch))
    const isAudit = name.startsWith(auditPrefix)
    const origins: Branch[] = []
    for (const [key, session] of [...this.#sessions].reverse()) {
      if (session.name === name || session.owner !== owner) continue
      if (session.name.startsWith(auditPrefix) !== isAudit) continue
      const isOwn = key === keyOf(credential, session.name)
      for (const branch of session.branches) if (isOrigin(branch, isOwn)) origins.push(branch)
    }
    if (origins.length === 0 && owner === undefined) {
      for (const stored of await relatedSessions(this.#options, sent, owner)) {
        if (stored.id.startsWith(auditPrefix) !== isAudit) continue
        const branch = await this.#load(stored, request)
        if (isOrigin(branch, isSessionOf(stored, credential))) origins.push(branch)
      }
    }
    const shared = (branch: Branch): number => sharedLength(sent, branch.sent)
    return origins.toSorted((one, other) => shared(other) - shared(one))[0] ?? null
  }

  async #load(stored: StoredSession, place: EnginePlace): Promise<Branch> {
    await this.#options.settle?.()
    return new Branch(await this.#options.store.load(stored), this.#options, place)
  }

  #measure(session: LiveSession): void {
    const known = this.#sizes.get(session)
    if (known !== undefined) addSize(this.#total, known, -1)
    const size = sizeOf(session)
    this.#sizes.set(session, size)
    addSize(this.#total, size, 1)
  }

  #forget(key: string, session: LiveSession): void {
    this.#sessions.delete(key)
    const known = this.#sizes.get(session)
    if (known !== undefined) addSize(this.#total, known, -1)
    this.#sizes.delete(session)
    for (const [alias, to] of this.#aliases) if (to === key) this.#aliases.delete(alias)
    for (const branch of session.branches) branch.letGo()
  }

  *#unnamed(credential: string): Generator<LiveSession, void> {
    let compared = 0
    for (const [key, session] of [...this.#sessions].reverse()) {
      if (!key.startsWith(keyOf(credential, unnamedPrefix))) continue
      if (++compared > mostCompared) return
      yield session
    }
  }

  /**
   * A session without a name from its client is named after its first message. Some clients change that message when
   * they resume a conversation; then the session is found by its tool calls.
   */
  async #nameOf(sent: readonly SentMessage[], { credential, owner }: Identity): Promise<string> {
    const firstMessageName = `${unnamedPrefix}${sent[0]?.hash.slice(0, hashDigits) ?? 'empty'}`
    const answer = sent.findIndex(({ role }) => role === 'assistant')
    if (answer < 0) return firstMessageName
    let best = { name: firstMessageName, shared: 0 }
    for (const { name, branches } of this.#unnamed(credential)) {
      for (const branch of branches) {
        const shared = sharedLength(sent, branch.sent)
        // Conversations that share only the messages before the first answer are different.
        const isSame = shared > answer || shared === branch.sent.length
        if (isSame && shared > best.shared) best = { name, shared }
      }
    }
    if (best.shared > 0) return best.name
    for (const stored of await relatedSessions(this.#options, sent, owner)) {
      const name = unnamedName.exec(stored.id)?.[0]
      if (name !== undefined && credentialHash(credential, name) === stored.credential) return name
    }
    return firstMessageName
  }

  /** Drops what was not used for the longest time: first bodies, then whole sessions. */
  #shrink(usedKey: string, used: LiveSession): void {
    // The session may have been dropped while it was in use.
    if (this.#sessions.get(usedKey) === used) this.#measure(used)
    const { resting, recent } = this.#limits
    if (this.#total.held <= resting.held && this.#total.bytes <= resting.bytes) return
    const recentSince = performance.now() - recentMs
    let bodies = 0
    let bytes = 0
    const keys = [...this.#sessions.keys()]
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] as string
      const session = this.#sessions.get(key) as LiveSession
      const isRecent = session.usedAt >= recentSince
      for (const branch of session.branches) {
        const held = heldBytes(branch)
        bytes += branch.bytes
        bodies += held
        if (bodies <= (isRecent ? Math.max(recent, resting.held) : resting.held) || held === 0)
          continue
        bodies -= held
        branch.read = null
        branch.forwarded = null
      }
      this.#measure(session)
      // The session that was just used stays, however large it is.
      if (bytes <= (isRecent ? recent : resting.bytes) || index === keys.length - 1) continue
      this.#forget(key, session)
    }
  }
}

/**
 * Whether a request under another credential goes on with a session of the same name. A name that the client chose says so when
 * calls of the session are in the request, also when the user went back to before its end.
 */
function belongsTo(
  { session }: Identity,
  sent: readonly SentMessage[],
  branch: { readonly sent: readonly SentMessage[] },
): boolean {
  return session === null ? hasWhole(sent, branch) : sharesCalls(sent, branch.sent)
}

const unnamedPrefix = 'prefix-'
const hashDigits = 16
const unnamedName = new RegExp(`^${unnamedPrefix}[0-9a-f]{${hashDigits}}`)

function keyOf(credential: string, name: string): string {
  return `${credential}\n${name}`
}

interface SessionLimits {
  /** For sessions that were not used for a while. */
  readonly resting: SessionSize
  /** Of each of the two sizes, for the others. */
  readonly recent: number
}

interface SessionSize {
  /** Size of the last bodies of its branches, kept or not. */
  bytes: number
  /** Size of the bodies that are kept. */
  held: number
}

function sizeOf({ branches }: LiveSession): SessionSize {
  const size = { bytes: 0, held: 0 }
  for (const branch of branches) {
    size.bytes += branch.bytes
    size.held += heldBytes(branch)
  }
  return size
}

function addSize(sum: SessionSize, { bytes, held }: SessionSize, sign: 1 | -1): void {
  sum.bytes += sign * bytes
  sum.held += sign * held
}

function heldBytes({ read, forwarded }: Branch): number {
  const sent =
    forwarded === null || forwarded.sent === forwarded.original ? 0 : forwarded.sent.source.length
  return (read?.source.length ?? 0) + sent
}
