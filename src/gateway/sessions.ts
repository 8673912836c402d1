import type { Body, BodyFormatName } from '../formats/format.ts'
import { credentialHash, type Identity } from './identity.ts'
import { type Line, putAway } from './line.ts'
import { type ClientSession, createClientSession, type LinesOptions } from './lines.ts'
import { type SentMessage, sharedLength } from './placement.ts'
import { type ReadRequest, readRequest } from './read-request.ts'
import { storedRelatives } from './relatives.ts'
import { createTurnTaking } from './turn-taking.ts'

export interface SessionsOptions extends LinesOptions {
  /** Sessions with bodies of so many bytes are kept; what is above it is loaded anew when it is needed. */
  readonly memoryBytes?: number
}

/** The sessions that were used last. */
export interface Sessions {
  read(identity: Identity, format: BodyFormatName, body: Body): ReadRequest
  /** Has a request's session to itself for as long as the work takes. */
  use<Result>(
    identity: Identity,
    request: ReadRequest,
    work: (session: ClientSession) => Promise<Result>,
  ): Promise<Result>
  readonly size: number
}

/** A session takes about four times its body in memory. */
const defaultMemoryBytes = 40 * 1024 * 1024
/** The bodies themselves are kept of those used last, so that what the next ones have in common with them is not read. */
const bodyBytes = 16 * 1024 * 1024
/** Sessions without a name that are compared with a request, the last used ones. */
const mostCompared = 6

export function createSessions(options: SessionsOptions): Sessions {
  const { memoryBytes = defaultMemoryBytes } = options
  /** The last used last. */
  const sessions = new Map<string, ClientSession>()
  const turns = createTurnTaking()
  /** What each of them took when it was used last, and all of them together. */
  const sizes = new Map<ClientSession, SessionSize>()
  const whole: SessionSize = { bytes: 0, held: 0 }

  function measure(session: ClientSession): void {
    const known = sizes.get(session)
    if (known !== undefined) addSize(whole, known, -1)
    const size = sizeOf(session)
    sizes.set(session, size)
    addSize(whole, size, 1)
  }

  function forget(key: string, session: ClientSession): void {
    sessions.delete(key)
    const known = sizes.get(session)
    if (known !== undefined) addSize(whole, known, -1)
    sizes.delete(session)
    for (const line of session.lines) putAway(line)
  }

  function* unnamed(credential: string): Iterable<ClientSession> {
    let compared = 0
    for (const [key, session] of [...sessions].reverse()) {
      if (!key.startsWith(keyOf(credential, unnamedPrefix))) continue
      if (++compared > mostCompared) return
      yield session
    }
  }

  /**
   * What a conversation is called whose client does not name it: after its first message, for as long as it goes on.
   * Some clients write that message anew when they go on with a conversation, which is then found by its calls.
   */
  async function nameOf(sent: readonly SentMessage[], credential: string): Promise<string> {
    const called = `${unnamedPrefix}${sent[0]?.hash.slice(0, digits) ?? 'empty'}`
    const answer = sent.findIndex(({ role }) => role === 'assistant')
    if (answer < 0) return called
    let best = { name: called, shared: 0 }
    for (const { name, lines } of unnamed(credential)) {
      for (const line of lines) {
        const shared = sharedLength(sent, line.sent)
        // Conversations that have nothing but their beginning in common are different ones.
        const isSame = shared > answer || shared === line.sent.length
        if (isSame && shared > best.shared) best = { name, shared }
      }
    }
    if (best.shared > 0) return best.name
    for (const { id, credential: owner } of await storedRelatives(options.store, sent)) {
      const name = unnamedName.exec(id)?.[0]
      if (name !== undefined && credentialHash(credential, name) === owner) return name
    }
    return called
  }

  /** Lets go of what was not used for longest: first the bodies, then the sessions. */
  function shrink(usedKey: string, used: ClientSession): void {
    // One that had to go while it was in use is nobody's any more.
    if (sessions.get(usedKey) === used) measure(used)
    // Nothing has to go after most requests, and then nobody looks at all the others.
    if (whole.held <= bodyBytes && whole.bytes <= memoryBytes) return
    let bodies = 0
    let bytes = 0
    const keys = [...sessions.keys()]
    for (let place = keys.length - 1; place >= 0; place--) {
      const key = keys[place] as string
      const session = sessions.get(key) as ClientSession
      for (const line of session.lines) {
        const held = heldBytes(line)
        bytes += line.bytes
        bodies += held
        if (bodies <= bodyBytes || held === 0) continue
        bodies -= held
        line.read = null
        line.passed = null
      }
      measure(session)
      // The one that was just used is kept, however large it is.
      if (bytes <= memoryBytes || place === keys.length - 1) continue
      forget(key, session)
    }
  }

  return {
    read(identity, format, body) {
      const { session, credential } = identity
      const candidates =
        session === null
          ? [...unnamed(credential)].flatMap(({ lines }) => [...lines])
          : (sessions.get(keyOf(credential, session))?.lines ?? [])
      return readRequest(format, body, candidates)
    },
    async use(identity, { sent }, work) {
      const name = identity.session ?? (await nameOf(sent, identity.credential))
      const key = keyOf(identity.credential, name)
      return turns.take(key, async () => {
        const session = sessions.get(key) ?? createClientSession(name, identity, options)
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
  /** Of its lines' last bodies, whether they are kept or not. */
  bytes: number
  /** Of the bodies that are kept. */
  held: number
}

function sizeOf({ lines }: ClientSession): SessionSize {
  const size = { bytes: 0, held: 0 }
  for (const line of lines) {
    size.bytes += line.bytes
    size.held += heldBytes(line)
  }
  return size
}

function addSize(sum: SessionSize, { bytes, held }: SessionSize, sign: 1 | -1): void {
  sum.bytes += sign * bytes
  sum.held += sign * held
}

function heldBytes({ read, passed }: Line): number {
  const sent = passed === null || passed.sent === passed.original ? 0 : passed.sent.source.length
  return (read?.source.length ?? 0) + sent
}
