import { pausesOf } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, parseJson } from '../core/words/json.ts'
import { setRecent } from '../core/words/recent.ts'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import { type OwnRoute, showsToken, type Viewer } from '../gateway/index.ts'
import type { Work } from '../replay/work.ts'
import { ownedStore } from '../store/owned-store.ts'
import { type ActionParts, perform } from './actions.ts'
import { createDashboard, type DashboardParts } from './dashboard.ts'
import { createLiveEvents, type LiveEvents } from './live-events.ts'
import { apiRoot } from './types.ts'

export interface ApiParts extends DashboardParts, ActionParts {
  /** Required for everything that changes something. */
  readonly token: string
  onFault(fault: unknown): void
}

export interface DashboardApi {
  readonly route: OwnRoute
  readonly events: LiveEvents
}

const longestBody = 64 * 1024

/** How many owners have their sessions cached in memory. */
const mostOwners = 50

/**
 * The routes below `/palimpsest/api`. GET reads; POST changes, and requires the dashboard's token. A caller with a
 * named token sees the sessions and the memory of that name, and may change those.
 */
export function createDashboardApi(parts: ApiParts): DashboardApi {
  const everything = createApi(parts, null)
  const owned = new Map<string, DashboardApi>()

  function apiOf({ owner }: Viewer): DashboardApi {
    if (owner === null) return everything
    const store = ownedStore(parts.store, owner)
    const own =
      owned.get(owner) ??
      createApi(
        { ...parts, ...memoryPartsOf(parts, owner), store, pauses: pausesOf(parts.pauses, owner) },
        owner,
      )
    for (const unused of setRecent(owned, owner, own, mostOwners)) unused.events.close()
    return own
  }

  const all = (): readonly DashboardApi[] => [everything, ...owned.values()]
  return {
    route: {
      path: apiRoot,
      fetch: (request, viewer) => apiOf(viewer).route.fetch(request, viewer),
    },
    events: {
      ...everything.events,
      answered(session) {
        for (const { events } of all()) events.answered(session)
      },
      close() {
        for (const { events } of all()) events.close()
      },
    },
  }
}

function createApi(parts: ApiParts, owner: string | null): DashboardApi {
  const dashboard = createDashboard(parts)
  const events = createLiveEvents({ dashboard, onFault: parts.onFault })

  async function post(request: Request, path: string): Promise<Response> {
    if (owner === null && !showsToken(request, parts.token)) {
      const message = "changes require the dashboard's token: open the address that `serve` printed"
      return failure(401, 'unauthorized', message)
    }
    const text = await request.text()
    if (text.length > longestBody) return failure(413, 'usage', 'the body is too large')
    const body = parseJson(text)
    if (body === undefined) return failure(400, 'usage', 'the body is not JSON')
    if (owner !== null && !isOwn(path, body))
      return failure(403, 'usage', "only the gateway's own token (--token) may do this")
    const done = await perform(parts, dashboard, path, body)
    if (done.changed === 'memory') events.memoryChanged()
    else if (done.changed === 'pause') events.pauseChanged()
    else if (done.session !== undefined) events.sessionChanged(done.session)
    return json(done.answer)
  }

  async function fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const path = pathname.slice(apiRoot.length)
    try {
      if (request.method === 'POST') return await post(request, path)
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return failure(405, 'usage', `${request.method} is not understood here: use GET or POST`)
      if (owner !== null && path === '/settings')
        return failure(403, 'usage', "only the gateway's own token (--token) shows the settings")
      if (path === '/events') return events.open()
      const answer = await dashboard.answer(`${path}${search}`)
      const headers = { 'content-type': 'application/json', ...safeHeaders }
      return new Response(await dashboard.run(jsonText(answer)), { headers })
    } catch (error) {
      if (PalimpsestError.is(error))
        return failure(error.code === 'absent' ? 404 : 400, error.code, error.message)
      throw error
    }
  }

  return { route: { path: apiRoot, fetch }, events }
}

/** The memory of an owner. */
function memoryPartsOf(
  { useMemory, forget }: ActionParts,
  owner: string,
): Pick<ActionParts, 'useMemory' | 'forget'> {
  return {
    useMemory: useMemory === null ? null : (work) => useMemory(work, owner),
    forget: forget && ((id, done) => forget(id, done, owner)),
  }
}

/** True when an action is only about what belongs to its caller. */
function isOwn(path: string, body: unknown): boolean {
  if (path.startsWith('/sessions/') || path.startsWith('/memory/')) return true
  return path === '/pause' && isJsonObject(body) && typeof body.session === 'string'
}

function json(value: unknown): Response {
  return Response.json(value, { headers: safeHeaders })
}

function failure(status: number, type: string, message: string): Response {
  return Response.json({ error: { type, message } }, { status, headers: safeHeaders })
}

/** Session content must never be rendered as a page or cached by the browser. */
const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

/** A value as JSON, without secrets. The lists of a large answer are its properties, so that their elements are written one by one. */
function* jsonText(value: unknown): Work<string> {
  if (!isPlainObject(value)) return jsonOf(value)
  const properties: string[] = []
  for (const [name, property] of Object.entries(value)) {
    yield
    if (property === undefined) continue
    const text = Array.isArray(property) ? yield* listText(property) : jsonOf(property)
    properties.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${properties.join(',')}}`
}

function* listText(list: readonly unknown[]): Work<string> {
  const elements: string[] = []
  for (const element of list) {
    yield
    elements.push(jsonOf(element))
  }
  return `[${elements.join(',')}]`
}

function jsonOf(value: unknown): string {
  return JSON.stringify(withoutSecretsIn(value)) ?? 'null'
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
