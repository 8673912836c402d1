import type { EngineMaker } from '../config/engine-maker.ts'
import type { EngineRequest } from '../core/engine.ts'
import { balanceIn, catchUp, historyOf, type Line, standIn } from './line.ts'
import type { Beginning, Placement } from './lines.ts'
import { commonLength } from './placement.ts'
import type { ReadRequest } from './read-request.ts'

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly model: string | null
  readonly cwd: string | null
  /** See `RequestMoment`. */
  readonly isDelegated?: boolean
  readonly restore?: string | null
}

/** Makes a request the next turn of its line. What it decides is noted in the line's writer, and not yet written. */
export function advance(
  { line, standing, origin }: Placement,
  request: ReadRequest,
  moment: Moment,
  maker: EngineMaker,
  beginning: Beginning | null,
): EngineRequest {
  if (standing.kind === 'empty') {
    if (origin !== null) leave(origin, line, maker, moment)
    else if (beginning !== null) begin(line, beginning)
    // What was saved before it is not what its first request saves.
    line.balance = balanceIn(line.engine.ledger.entries) ?? 0
  }
  // An engine that has not gone through its history would not know what the client changed in it.
  if (standing.kind === 'changed' && line.inherited !== null)
    catchUp(line.engine, historyOf(line), line.inherited)
  const since = request.from === line ? request.since : undefined
  const engineRequest = line.engine.request(request.read.messages, since, moment)
  line.writer.note(line.engine, engineRequest)
  follow(line, request, engineRequest, moment)
  return engineRequest
}

/** The changes of a request that is no turn of its line: counted, compacted, or made once more. */
export function project(
  placement: Placement | null,
  { read }: ReadRequest,
  moment: Moment,
  maker: EngineMaker,
): EngineRequest {
  const engine =
    placement === null
      ? maker.make([], moment)
      : standIn(placement.line, maker, moment, {
          goesOn: placement.standing.kind === 'grown' || placement.standing.kind === 'asked',
        })
  return engine.request(read.messages, undefined, moment)
}

/** A conversation that leaves another one takes over what was decided about the part that they share. */
function leave(origin: Line, line: Line, maker: EngineMaker, moment: Moment): void {
  line.engine = standIn(origin, maker, moment, { goesOn: false })
  const history = line.engine.record.append(historyOf(origin))
  line.writer.note(line.engine, history)
}

/** What was sent before anybody could know that it was a session's first request. */
function begin(line: Line, { messages, at, model }: Beginning): void {
  line.writer.note(line.engine, line.engine.request(messages, undefined, { at, model }))
}

function follow(
  line: Line,
  { read, sent }: ReadRequest,
  { anchor }: EngineRequest,
  { model }: Moment,
): void {
  const same = Math.min(line.sizes.length, commonLength(line.sent, sent))
  while (line.sizes.length > same) {
    line.tokens -= line.sizes.pop() ?? 0
    line.characters -= line.lengths.pop() ?? 0
  }
  for (const { items } of line.engine.record.history(anchor, same)) {
    let tokens = 0
    let characters = 0
    for (const item of items) {
      tokens += item.tokens
      characters += item.text.length
    }
    line.sizes.push(tokens)
    line.lengths.push(characters)
    line.tokens += tokens
    line.characters += characters
  }
  line.sent = sent
  line.anchor = anchor
  line.model = model
  line.read = read
  line.bytes = read.source.length
  line.inherited = null
}
