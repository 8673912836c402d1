import type { EngineMaker, EnginePlace } from '../config/engine-maker.ts'
import type { MessageDraft } from '../core/words/item.ts'
import type { Store } from '../store/index.ts'
import { credentialHash, type Identity } from './identity.ts'
import { type Line, lineFrom, putAway } from './line.ts'
import {
  commonLength,
  lineName,
  type SentMessage,
  type Standing,
  sharesCalls,
  standingOf,
} from './placement.ts'
import { storedRelatives } from './relatives.ts'

/** What is needed of a request to find the line that it belongs to. */
export interface PlacedRequest {
  readonly sent: readonly SentMessage[]
  readonly model: string | null
  readonly cwd: string | null
}

export interface Placement {
  readonly line: Line
  readonly standing: Exclude<Standing, { readonly kind: 'apart' }>
  /** The line that an empty one leaves, and with which it has its beginning in common. */
  readonly origin: Line | null
}

/** The lines of one session of a client, under one credential. */
export interface ClientSession {
  readonly name: string
  /** Finds the line, in memory or in the store, or makes it. Rejects when the store does. */
  place(request: PlacedRequest): Promise<Placement>
  /** The same without making any: null when no known line has the request's beginning. */
  find(request: PlacedRequest): Promise<Placement | null>
  /** Those that are in memory. */
  readonly lines: Iterable<Line>
  /** Forgets a line, which is then loaded anew. */
  drop(line: Line): void
  /** Keeps a request in mind that may be the first of a conversation, or one beside it. */
  remember(beginning: Beginning): void
  /** The request that was kept in mind and that this one goes on from. */
  beginningOf(sent: readonly SentMessage[], model: string | null): Beginning | null
}

/** A request without tools and results: only a later one tells whether it was the first turn of a session. */
export interface Beginning {
  readonly messages: readonly MessageDraft[]
  readonly sent: readonly SentMessage[]
  readonly at: number
  readonly model: string | null
}

export interface LinesOptions {
  readonly store: Store
  readonly maker: EngineMaker
  /** What is still to be written has to be in the store before anything is loaded from it. */
  readonly settle?: () => Promise<void>
}

/** Branches of one conversation that are kept in memory; the others are in the store. */
const mostLines = 8
const mostBeginnings = 8
/** No conversation branches off this often, so that a walk that goes on longer does not end at all. */
const longestWalk = 64

export function createClientSession(
  name: string,
  identity: Identity,
  { store, maker, settle }: LinesOptions,
): ClientSession {
  const credential = credentialHash(identity.credential, name)
  /** The last used last. */
  const lines = new Map<string, Line>()
  const beginnings: Beginning[] = []

  function drop(line: Line): void {
    lines.delete(line.id)
    putAway(line)
  }

  function use(line: Line): void {
    lines.delete(line.id)
    lines.set(line.id, line)
    for (const oldest of lines.values()) {
      if (lines.size <= mostLines) break
      drop(oldest)
    }
  }

  async function load(id: string, place: EnginePlace, origin: Line | null): Promise<Line> {
    const parent = origin?.id ?? (id === name ? identity.parent : name)
    await settle?.()
    const session = await store.openSession({
      id,
      parent,
      origin: 'gateway',
      folder: place.cwd,
      credential,
    })
    return lineFrom(await store.load(session), store, maker, place)
  }

  /** The same without making one. What is not there costs no more than the look. */
  async function loadKnown(id: string, place: EnginePlace): Promise<Line | undefined> {
    const session = await store.findSession({ id, credential })
    if (session === null) return undefined
    await settle?.()
    return lineFrom(await store.load(session), store, maker, place)
  }

  /** A line whose calls the request goes on from, though nothing before them leads to it any more. */
  async function relatedLine(request: PlacedRequest): Promise<Line | undefined> {
    const { sent, model } = request
    if (!sent.some(({ hasCalls }) => hasCalls)) return undefined
    const isRelated = (line: Line): boolean =>
      sharesCalls(sent, line.sent) && standingOf(sent, model, line).kind !== 'apart'
    const known = [...lines.values()].findLast(isRelated)
    if (known !== undefined) return known
    for (const { id, credential: owner } of await storedRelatives(store, sent)) {
      if (owner !== credential || lines.has(id)) continue
      const line = await loadKnown(id, request)
      if (line !== undefined && isRelated(line)) return line
    }
    return undefined
  }

  /** A line in memory that the request simply continues, the longest one. */
  function continued({ sent, model }: PlacedRequest): Placement | null {
    let best: Placement | null = null
    for (const line of lines.values()) {
      if (line.sent.length <= (best?.line.sent.length ?? 0)) continue
      const standing = standingOf(sent, model, line)
      const goesOn = standing.kind === 'grown' || standing.kind === 'asked'
      if (goesOn) best = { line, standing, origin: null }
    }
    return best
  }

  /** Where a request stands that will begin a line: it takes over what was decided about the beginning of the one that it leaves. */
  function leaving(origin: Line | null): Placement | null {
    if (origin === null) return null
    use(origin)
    return { line: origin, standing: { kind: 'changed' }, origin: null }
  }

  async function walk(request: PlacedRequest, known: typeof lineOf): Promise<Placement | null> {
    const { sent, model } = request
    const going = continued(request)
    if (going !== null) {
      use(going.line)
      return going
    }
    let id = name
    let origin: Line | null = null
    for (let step = 0; step < longestWalk; step++) {
      const line: Line | undefined = await known(id, request, origin)
      if (line === undefined) return leaving(origin)
      const standing = standingOf(sent, model, line)
      if (standing.kind !== 'apart') {
        use(line)
        return { line, standing, origin }
      }
      // Conversations with nothing but a system prompt in common have decided nothing together.
      if (sent.slice(0, standing.common).some(({ role }) => role === 'assistant')) origin = line
      id = lineName(name, model, sent.slice(0, standing.common + 1))
      if (id === line.id) break
    }
    return null
  }

  async function lineOf(
    id: string,
    request: PlacedRequest,
    origin: Line | null,
  ): Promise<Line | undefined> {
    const known = lines.get(id) ?? (await loadKnown(id, request)) ?? (await relatedLine(request))
    return known ?? load(id, request, origin)
  }

  return {
    name,
    async place(request) {
      const placement = await walk(request, lineOf)
      if (placement !== null) return placement
      // Something else has the name; a line of this very request is apart from all.
      const id = lineName(`${name}.own`, request.model, request.sent)
      const line = await load(id, request, null)
      use(line)
      return { line, standing: { kind: 'empty' }, origin: null }
    },
    async find(request) {
      const placement = await walk(
        request,
        async (id, place) => lines.get(id) ?? (await loadKnown(id, place)) ?? relatedLine(request),
      )
      return placement?.standing.kind === 'empty' ? leaving(placement.origin) : placement
    },
    get lines(): Iterable<Line> {
      return lines.values()
    },
    drop,
    remember(beginning) {
      beginnings.push(beginning)
      if (beginnings.length > mostBeginnings) beginnings.shift()
    },
    beginningOf: (sent, model) =>
      beginnings.findLast(
        (each) =>
          each.model === model &&
          each.sent.length < sent.length &&
          commonLength(each.sent, sent) === each.sent.length,
      ) ?? null,
  }
}
