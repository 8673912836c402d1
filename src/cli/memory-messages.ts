import { objectOf, parseJson } from '../core/words/json.ts'
import type { Message } from '../memory/observe.ts'

const roles: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'developer', 'tool'])
/** Numbers below this are seconds: as milliseconds they would be in 1970. */
const firstMilliseconds = 100_000_000_000

/** A message as an outside program writes it; undefined where a line is none. */
export function parseMessage(line: string): Message | undefined {
  const { id, role, text, at } = objectOf(parseJson(line))
  const named = typeof id === 'string' || typeof id === 'number'
  if (!named || typeof role !== 'string' || typeof text !== 'string') return undefined
  const time = typeof at === 'string' ? Date.parse(at) : at
  const known = typeof time === 'number' && Number.isFinite(time)
  return {
    id: String(id),
    role: roles.has(role) ? (role as Message['role']) : 'tool',
    text,
    ...(known ? { at: time < firstMilliseconds ? time * 1000 : time } : {}),
  }
}

const pauseMs = 4 * 3_600_000

/** Names the session of each message: a pause of hours begins another. */
export function sessionSplitter(base: string): (message: Message) => string {
  let last: number | undefined
  let part = 1
  return ({ at }) => {
    if (at !== undefined && last !== undefined && Math.abs(at - last) > pauseMs) part++
    last = at ?? last
    return part === 1 ? base : `${base}.${part}`
  }
}
