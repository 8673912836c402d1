import type { MessageDraft } from '../../core/words/item.ts'
import { type CallIndex, noCalls } from '../body/call-index.ts'
import type { ReadProblem, RequestRead } from '../format.ts'
import { sameJson } from '../json-value.ts'
import type { ListDialect, Place } from './dialect.ts'

type List = readonly unknown[]

/**
 * Reads a list of messages. Leading messages with the same content as in `previous` are reused, whether the host passes
 * the same objects, changed ones or copies.
 */
export function readList(
  dialect: ListDialect,
  source: List,
  previous?: RequestRead<List>,
): RequestRead<List> {
  const messages: ReadMessage[] = []
  let shared = 0
  let problem: ReadProblem | null
  try {
    const known = previous?.format === dialect.name ? (stateOf(previous) ?? []) : []
    const outcome = readMessages(dialect, source, known, messages)
    shared = outcome.shared
    problem = outcome.problem
  } catch {
    problem = { where: `messages.${messages.length}`, message: 'the list cannot be read' }
  }
  const read: RequestRead<List> = {
    format: dialect.name,
    source,
    model: dialect.model(messages.map((message) => message.picked)),
    prefix: { system: '', tools: '' },
    messages: messages.map((message): MessageDraft => message.draft),
    shared,
    problem,
  }
  keepState(read, messages)
  return read
}

interface Outcome {
  readonly shared: number
  readonly problem: ReadProblem | null
}

function readMessages(
  dialect: ListDialect,
  source: List,
  known: readonly ReadMessage[],
  messages: ReadMessage[],
): Outcome {
  if (!Array.isArray(source)) {
    return { shared: 0, problem: { where: 'messages', message: 'expected a list of messages' } }
  }
  let shared = 0
  for (let index = 0; index < source.length; index++) {
    const picked = dialect.pick(source[index])
    const same = shared === index ? known[index] : undefined
    if (same !== undefined && sameJson(same.picked, picked)) {
      messages.push(same)
      shared++
      continue
    }
    const entry = dialect.interpret(picked, messages.at(-1)?.calls ?? noCalls)
    if (entry.kind === 'malformed') {
      const problem = { where: `messages.${index}${entry.path}`, message: entry.message }
      return { shared, problem }
    }
    const { placed, calls, message } = entry
    messages.push({
      draft: { ...message, items: placed.map(({ item }) => item) },
      places: placed.map(({ place }) => place),
      picked,
      calls,
    })
  }
  return { shared, problem: null }
}

/** A message together with its source. */
export interface ReadMessage {
  readonly draft: MessageDraft
  readonly places: readonly Place[]
  /** A copy of everything that reading depended on, because hosts change their objects in place. */
  readonly picked: unknown
  /** The calls known after this message. */
  readonly calls: CallIndex
}

const stateKey: unique symbol = Symbol('palimpsest.list-state')

/** Attaches the state to the read as a hidden property. */
function keepState(read: RequestRead<readonly unknown[]>, messages: readonly ReadMessage[]): void {
  Object.defineProperty(read, stateKey, { value: messages, enumerable: false })
}

/** null for a read without state, such as a copy. */
export function stateOf(read: RequestRead<readonly unknown[]>): readonly ReadMessage[] | null {
  return (Reflect.get(read, stateKey) as readonly ReadMessage[] | undefined) ?? null
}
