import type { EngineMaker } from '../config/engine-maker.ts'
import type { Pauses } from '../config/pauses.ts'
import { plural } from '../core/render/counts.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import {
  actOnStored,
  type StoredAction,
  type StoredActionOutcome,
} from '../session/stored-action.ts'
import type { Store } from '../store/index.ts'
import type { Dashboard, UseMemory } from './dashboard.ts'
import type { ActionResult, ForgetResult, ReviewRequest } from './types.ts'

export interface ActionParts {
  readonly store: Store
  readonly maker: EngineMaker
  readonly pauses: Pauses
  readonly useMemory: UseMemory | null
  /** Forgets an item everywhere, or says what would be forgotten; undefined where that is not allowed. */
  readonly forget?:
    | ((
        id: string,
        options: { readonly isDone: boolean },
        owner?: string | null,
      ) => Promise<ForgetResult>)
    | undefined
}

/** The action's side effects. */
export interface ActionDone {
  readonly answer: unknown
  readonly changed: 'session' | 'pause' | 'memory'
  /** The key of the session that changed. */
  readonly session?: string
}

/** Performs a POST route. @throws PalimpsestError with code `usage` or `absent`. */
export async function perform(
  parts: ActionParts,
  dashboard: Dashboard,
  path: string,
  body: unknown,
): Promise<ActionDone> {
  const input = isJsonObject(body) ? body : {}
  const [, key, action] = /^\/sessions\/([^/]+)\/(restore|protect)$/.exec(path) ?? []
  if (key !== undefined) {
    const session = decodeURIComponent(key)
    const answer = await actOn(parts, dashboard, session, action as StoredAction, input)
    return { answer, changed: 'session', session }
  }
  switch (path) {
    case '/pause':
      return { answer: await pause(parts, dashboard, input), changed: 'pause' }
    case '/memory/review':
      return { answer: await review(parts, input), changed: 'memory' }
    case '/memory/forget':
      return { answer: await forget(parts, input), changed: 'memory' }
    default:
      throw new PalimpsestError('absent', `there is no action ${path}`)
  }
}

async function pause(
  { pauses }: ActionParts,
  dashboard: Dashboard,
  { session, paused }: JsonObject,
): Promise<unknown> {
  if (typeof paused !== 'boolean')
    throw new PalimpsestError('usage', 'say whether to pause: {"paused": true}')
  if (session !== undefined && typeof session !== 'string')
    throw new PalimpsestError('usage', 'session is the key of a session')
  const { id } = session === undefined ? { id: null } : await dashboard.sessions.source(session)
  pauses.set(id, paused)
  return dashboard.pauseState()
}

async function actOn(
  { store, maker }: ActionParts,
  dashboard: Dashboard,
  key: string,
  action: StoredAction,
  { handle }: JsonObject,
): Promise<ActionResult> {
  if (typeof handle !== 'string' || !/^[0-9a-f]{6,}$/i.test(handle))
    throw new PalimpsestError('usage', 'a handle is six or more hex digits')
  const summary = await dashboard.sessions.find(key)
  const outcome = await actOnStored({ store, maker }, summary, handle.toLowerCase(), action)
  dashboard.sessions.changed(summary.id)
  return { ok: outcome.kind === 'done', message: actionMessage(outcome, handle, action) }
}

/** The outcome as a sentence for users. */
export function actionMessage(
  outcome: StoredActionOutcome,
  handle: string,
  action: StoredAction,
): string {
  switch (outcome.kind) {
    case 'done': {
      const { addedTokens, rewrittenTokens } = outcome
      if (addedTokens === 0) return `${handle} stays in full from the next request on.`
      const cost =
        rewrittenTokens === 0
          ? ''
          : `, and the ${plural(rewrittenTokens, 'token')} behind it are written to the cache again`
      return `${handle} is back in full in the next request: ${plural(addedTokens, 'token')} more${cost}.`
    }
    case 'absent':
      return `The last request of this session has no item ${handle}.`
    case 'unchanged':
      return action === 'restore'
        ? `${handle} is not left out.`
        : `${handle} stays in full already.`
    case 'busy':
      return 'The session is being continued at this moment. Try again.'
  }
}

const verdicts: Readonly<Record<ReviewRequest['outcome'], 'newer' | 'older' | 'both'>> = {
  accept: 'newer',
  reject: 'older',
  both: 'both',
}

async function review(
  { useMemory }: ActionParts,
  { conflict, outcome }: JsonObject,
): Promise<ActionResult> {
  const verdict = Object.entries(verdicts).find(([name]) => name === outcome)?.[1]
  if (typeof conflict !== 'string' || verdict === undefined)
    throw new PalimpsestError('usage', 'give the conflict, and accept, reject or both as outcome')
  if (useMemory === null) throw new PalimpsestError('absent', 'there is no memory')
  await useMemory((memory) => memory.review(conflict, verdict))
  const said = {
    newer: 'The newer item holds.',
    older: 'The older item stays.',
    both: 'Both hold.',
  }
  return { ok: true, message: said[verdict] }
}

async function forget(
  { forget: forgetItem }: ActionParts,
  { id, confirm }: JsonObject,
): Promise<ForgetResult> {
  if (typeof id !== 'string') throw new PalimpsestError('usage', 'give the id of a memory item')
  if (forgetItem === undefined)
    throw new PalimpsestError(
      'absent',
      `nothing can be forgotten from here: use \`palimpsest memory forget ${id}\``,
    )
  return forgetItem(id, { isDone: confirm === true })
}
