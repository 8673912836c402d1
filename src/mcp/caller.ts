import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import { sessionNamed } from '../gateway/identity.ts'

/**
 * Who asks, as the client says: by where and how it started the server, by headers, by `_meta`, or by its roots. Never by the
 * input of a tool, which the model writes.
 */
export interface Caller {
  /** The client's own name for the session; null when it does not say. */
  readonly session: string | null
  /** The folder that it works in; null when it does not say. */
  readonly folder: string | null
  /** What the scope `project` means: the folder, unless the user gave it another name. */
  readonly project: string | null
}

export const unknownCaller: Caller = { session: null, folder: null, project: null }

/** The caller of one request: what is known of the connection, and what the request adds to it. */
export function callerOf({ http, mcpReq }: ServerContext, known: Caller): Caller {
  const headers = http?.req?.headers
  const session = known.session ?? sessionIn(mcpReq._meta) ?? sessionInHeaders(headers)
  const folder = known.folder ?? folderInHeaders(headers) ?? rootOf(mcpReq)
  return { session, folder, project: known.project ?? folder }
}

/** Asks a client that says neither folder nor session for its roots; null where it has said, or cannot say. */
export function askForRoots(ctx: ServerContext, caller: Caller): InputRequiredResult | null {
  if (caller.folder !== null || caller.session !== null) return null
  if (modernCapabilities(ctx)?.roots === undefined || ctx.mcpReq.inputResponses !== undefined)
    return null
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
}

/** True when the client can put a question to a person. */
export function canAskPerson(server: McpServer, ctx: ServerContext): boolean {
  const known = modernCapabilities(ctx) ?? server.server.getClientCapabilities()
  return known?.elicitation !== undefined
}

/** Clients of the 2026 protocol say with each request what they can do. */
function modernCapabilities({ mcpReq }: ServerContext): JsonObject | undefined {
  const envelope: unknown = mcpReq.envelope
  const said = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined
  return isJsonObject(said) ? said : undefined
}

/** Codex names its session with every call. */
function sessionIn(meta: unknown): string | null {
  if (!isJsonObject(meta)) return null
  const { sessionId, threadId } = meta
  const named = [threadId, sessionId].find((each) => typeof each === 'string' && each !== '')
  return typeof named === 'string' ? named : null
}

function sessionInHeaders(headers: Headers | undefined): string | null {
  return headers === undefined ? null : sessionNamed((name) => headers.get(name) ?? undefined)
}

/** The user may say it where the client is configured. Other letters than ASCII are percent-encoded. */
function folderInHeaders(headers: Headers | undefined): string | null {
  const given = headers?.get('x-palimpsest-project')
  if (given === null || given === undefined || given === '') return null
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

/** The first root, as the client answered, or as it was answered in an earlier round of the same call. */
function rootOf(mcpReq: ServerContext['mcpReq']): string | null {
  const answered = inputResponse(mcpReq.inputResponses, 'roots')
  if (answered.kind !== 'roots') {
    const state: unknown = mcpReq.requestState()
    return typeof state === 'string' && state !== '' ? state : null
  }
  const uri = answered.roots[0]?.uri
  if (uri === undefined || !URL.canParse(uri) || !uri.startsWith('file://')) return null
  const path = decodeURIComponent(new URL(uri).pathname)
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}
