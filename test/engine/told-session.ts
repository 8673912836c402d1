import { actionOf, readResult } from '../../src/actions/index.ts'
import { presets } from '../../src/config/presets.ts'
import { createEngine, type Engine } from '../../src/core/engine.ts'
import type { Protection } from '../../src/core/guard/guard.ts'
import type { Decision } from '../../src/core/words/decision.ts'
import type { MessageDraft, ResultStatus } from '../../src/core/words/item.ts'
import type { Understanding } from '../../src/core/words/operation.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { openSession, type Session } from '../../src/session/session.ts'

/** A call with its result, as a test tells it. `id` names it in what is expected. */
export interface ToldCall {
  readonly id: string
  readonly tool: string
  readonly input: string | Readonly<Record<string, unknown>>
  readonly output: string
  readonly status?: ResultStatus
}

/** The calls of one turn, made in parallel when there are several. */
export type ToldTurn = readonly ToldCall[]

export const understanding: Understanding = {
  action: (call) => actionOf(call),
  reading: readResult,
}

/** No strategy at all, but for what a test switches on. */
export function only(settings: Partial<Settings>): Settings {
  return { ...presets.off, preset: 'test', enabled: true, ...settings }
}

export function messagesOf(turns: readonly ToldTurn[]): readonly MessageDraft[] {
  const asked: MessageDraft = { role: 'user', items: [{ kind: 'text', text: 'Please do it.' }] }
  return [asked, ...turns.flatMap(messagesOfTurn)]
}

function messagesOfTurn(turn: ToldTurn): readonly MessageDraft[] {
  const calls: MessageDraft = {
    role: 'assistant',
    items: turn.map(({ id, tool, input }) => ({
      kind: 'call',
      tool,
      call: id,
      text: typeof input === 'string' ? input : JSON.stringify(input),
    })),
  }
  const results: MessageDraft = {
    role: 'tool',
    items: turn.map(({ id, tool, output, status = 'ok' }) => ({
      kind: 'result',
      tool,
      call: id,
      status,
      text: output,
    })),
  }
  return turn.length === 0
    ? [{ role: 'assistant', items: [{ kind: 'text', text: 'Let me think.' }] }]
    : [calls, results]
}

export interface Told {
  /** What became of each result, by the id of its call: how, why, and by the result of which call. */
  readonly results: Readonly<Record<string, string>>
  /** What became of the inputs. */
  readonly inputs: Readonly<Record<string, string>>
  readonly decisions: readonly Decision[]
  readonly engine: Engine
}

export interface TellOptions {
  readonly protection?: Protection
  readonly engine?: Engine
}

export function engineFor(settings: Settings, protection?: Protection): Engine {
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding,
    ...(protection === undefined ? {} : { protection }),
  })
}

/** A session that an engine of the test's own decides about. */
export function sessionWith(engine: Engine): Session {
  const place = { cwd: null, model: null }
  return openSession({
    id: 'told',
    maker: { make: () => engine, asRecorded: (messages: readonly MessageDraft[]) => messages },
    place,
    stored: null,
  })
}

/** Sends the requests of a session one by one, and says what was decided for the last of them. */
export function tell(
  turns: readonly ToldTurn[],
  settings: Settings,
  options: TellOptions = {},
): Told {
  const engine = options.engine ?? engineFor(settings, options.protection)
  for (let told = 0; told <= turns.length; told++) engine.request(messagesOf(turns.slice(0, told)))
  return outcomeOf(engine)
}

export function outcomeOf(engine: Engine): Told {
  const decisions = engine.ledger.decided().map((item) => engine.ledger.of(item) as Decision)
  const about = (kind: 'call' | 'result'): Readonly<Record<string, string>> =>
    Object.fromEntries(
      decisions
        .filter(({ item }) => engine.record.items[item]?.kind === kind)
        .map(({ item, by, reason, rendition }) => [
          callOf(engine, item),
          `${rendition.how} ${reason} ${by === null ? '-' : callOf(engine, by)}`,
        ]),
    )
  return { results: about('result'), inputs: about('call'), decisions, engine }
}

function callOf(engine: Engine, index: number): string {
  const item = engine.record.items[index]
  return item?.kind === 'call' || item?.kind === 'result' ? item.call : String(index)
}

/** So many numbered lines, long enough that every rendition is shorter. */
export function lines(first: number, last: number, word = 'line'): string {
  return Array.from(
    { length: last - first + 1 },
    (_, at) => `${word} ${first + at} of a text that is long enough to be worth hiding`,
  ).join('\n')
}
