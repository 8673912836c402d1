import type { Body, BodyFormatName } from '../formats/format.ts'
import { createQueues } from '../store/queue.ts'
import type { Branch } from './branch.ts'
import { credentialHash, type Identity } from './identity.ts'
import { createLiveSession, type LiveSession, type LiveSessionOptions } from './live-session.ts'
import { type SentMessage, sharedLength } from './placement.ts'
import { type ReadRequest, readRequest } from './read-request.ts'
import { relatedSessions } from './related-sessions.ts'

export interface LiveSessionsOptions extends LiveSessionOptions {
  /** Sessions stay in memory while their bodies have fewer bytes in all; the others are loaded again when needed. */
  readonly memoryBytes?: number
}

/** The sessions that were used last, in memory. */
export interface LiveSessions {
  read(identity: Identity, format: BodyFormatName, body: Body): ReadRequest
  /** Gives the work the request's session for itself: requests of one session follow each other. */
  use<Result>(
    identity: Identity,
    request: ReadRequest,
    work: (session: LiveSession) => Promise<Result>,
  ): Promise<Result>
  readonly size: number
}

/** A session takes about four times its body in memory. */
const defaultMemoryBytes = 40 * 1024 * 1024
/** So many bytes of bodies are kept, of the sessions used last: the next request is read from where they differ. */
const bodyBytes = 16 * 1024 * 1024
/** So many sessions without a name, the last used ones, are compared with a request. */
const mostCompared = 6

export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { memoryBytes = defaultMemoryBytes } = options
  /** The last used last. */
  const sessions = new Map<string, LiveSession>()
  const queues = createQueues()
  /** What each of them took when it was used last, and all of them together. */
  const sizes = new Map<LiveSession, SessionSize>()
  const whole: SessionSize = { bytes: 0, held: 0 }

  function measure(session: LiveSession): void {
    const known = sizes.get(session)
    if (known !== undefined) addSize(whole, known, -1)
    const size = sizeOf(session)
    sizes.set(session, size)
    addSize(whole, size, 1)
  }

  function forget(key: string, session: LiveSession): void {
    sessions.delete(key)
    const known = sizes.get(session)
    if (known !== undefined) addSize(whole, known, -1)
    sizes.delete(session)
    for (const branch of session.branches) branch.letGo()
  }

  function* unnamed(credential: string): Iterable<LiveSession> {
    let compared = 0
    for (const [key, session] of [...sessions].reverse()) {
      if (!key.startsWith(keyOf(credential, unnamedPrefix))) continue
      if (++compared > mostCompared) return
      yield session
    }
  }

  /**
   * A session that its client does not name is named after its first message. Some clients change that message when they
   * go on with a conversation; it is then found by its tool calls.
   */
  async function nameOf(sent: readonly SentMessage[], credential: string): Promise<string> {
    const called = `${unnamedPrefix}${sent[0]?.hash.slice(0, digits) ?? 'empty'}`
    const answer = sent.findIndex(({ role }) => role === 'assistant')
    if (answer < 0) return called
    let best = { name: called, shared: 0 }
    for (const { name, branches } of unnamed(credential)) {
      for (const branch of branches) {
        const shared = sharedLength(sent, branch.sent)
        // Conversations that share only what stands before the first answer are different ones.
        const isSame = shared > answer || shared === branch.sent.length
        if (isSame && shared > best.shared) best = { name, shared }
      }
    }
    if (best.shared > 0) return best.name
    for (const { id, credential: owner } of await relatedSessions(options.store, sent)) {
      const name = unnamedName.exec(id)?.[0]
      if (name !== undefined && credentialHash(credential, name) === owner) return name
    }
    return called
  }

  /** Drops what was not used for longest: first the bodies, then the sessions. */
  function shrink(usedKey: string, used: LiveSession): void {
    // It may have been dropped while it was in use.
    if (sessions.get(usedKey) === used) measure(used)
    if (whole.held <= bodyBytes && whole.bytes <= memoryBytes) return
    let bodies = 0
    let bytes = 0
    const keys = [...sessions.keys()]
    for (let place = keys.length - 1; place >= 0; place--) {
      const key = keys[place] as string
      const session = sessions.get(key) as LiveSession
      for (const branch of session.branches) {
        const held = heldBytes(branch)
        bytes += branch.bytes
        bodies += held
        if (bodies <= bodyBytes || held === 0) continue
        bodies -= held
        branch.read = null
        branch.passed = null
      }
      measure(session)
      // The one that was just used stays, however large it is.
      if (bytes <= memoryBytes || place === keys.length - 1) continue
      forget(key, session)
    }
  }

  return {
    read(identity, format, body) {
      const { session, credential } = identity
      const candidates =
        session === null
          ? [...unnamed(credential)].flatMap(({ branches }) => [...branches])
          : (sessions.get(keyOf(credential, session))?.branches ?? [])
      return readRequest(format, body, candidates)
    },
    async use(identity, { sent }, work) {
      const name = identity.session ?? (await nameOf(sent, identity.credential))
      const key = keyOf(identity.credential, name)
      return queues.run(key, async () => {
        const session = sessions.get(key) ?? createLiveSession(name, identity, options)
        sessions.delete(key)
        sessions.set(key, session)
        try {
          return await work(session)
        } finally {
          shrink(key, session)
        }
      })
    },
    get size(): number {
      return sessions.size
    },
  }
}

const unnamedPrefix = 'prefix-'
const digits = 16
const unnamedName = new RegExp(`^${unnamedPrefix}[0-9a-f]{${digits}}`)

function keyOf(credential: string, name: string): string {
  return `${credential}\n${name}`
}

interface SessionSize {
  /** Of the last bodies of its branches, whether they are kept or not. */
  bytes: number
  /** Of the bodies that are kept. */
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

function heldBytes({ read, passed }: Branch): number {
  const sent = passed === null || passed.sent === passed.original ? 0 : passed.sent.source.length
  return (read?.source.length ?? 0) + sent
}
