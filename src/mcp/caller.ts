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
 * The caller, according to the client: how it started the server, its headers, `_meta`, or its roots. Never from tool
 * input, which the model writes.
 */
export interface Caller {
  /** The client's session id; null when unknown. */
  readonly session: string | null
  /** The folder it works in; null when unknown. */
  readonly folder: string | null
  /** The project name: the folder, unless the user gave another name. */
  readonly project: string | null
}

export const unknownCaller: Caller = { session: null, folder: null, project: null }

/** The caller of one request, from the connection and the request. */
export function callerOf({ http, mcpReq }: ServerContext, known: Caller): Caller {
  const headers = http?.req?.headers
  const session = known.session ?? sessionIn(mcpReq._meta) ?? sessionInHeaders(headers)
  const folder = known.folder ?? folderInHeaders(headers) ?? rootOf(mcpReq)
  return { session, folder, project: known.project ?? folder }
}

/** Asks a client for its roots when neither folder nor session is known; null when not needed or not possible. */
export function askForRoots(ctx: ServerContext, caller: Caller): InputRequiredResult | null {
  if (caller.folder !== null || caller.session !== null) return null
  if (modernCapabilities(ctx)?.roots === undefined || ctx.mcpReq.inputResponses !== undefined)
    return null
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
}

/** True when the client can ask a person. */
export function canAskPerson(server: McpServer, ctx: ServerContext): boolean {
  const known = modernCapabilities(ctx) ?? server.server.getClientCapabilities()
  return known?.elicitation !== undefined
}

/** Clients of the 2026 protocol send their capabilities with each request. */
function modernCapabilities({ mcpReq }: ServerContext): JsonObject | undefined {
  const envelope: unknown = mcpReq.envelope
  const said = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined
  return isJsonObject(said) ? said : undefined
}

/** Codex sends its session id with every call. */
function sessionIn(meta: unknown): string | null {
  if (!isJsonObject(meta)) return null
  const { sessionId, threadId } = meta
  const named = [threadId, sessionId].find((each) => typeof each === 'string' && each !== '')
  return typeof named === 'string' ? named : null
}

function sessionInHeaders(headers: Headers | undefined): string | null {
  return headers === undefined ? null : sessionNamed((name) => headers.get(name) ?? undefined)
}

/** A header that the user may configure. Non-ASCII letters are percent-encoded. */
function folderInHeaders(headers: Headers | undefined): string | null {
  const given = headers?.get('x-palimpsest-project')
  if (given === null || given === undefined || given === '') return null
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

/** The first root, from this answer or from an earlier round of the same call. */
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
