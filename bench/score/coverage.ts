import { type Piece, piecesOf } from './price.ts'
import { charactersPerToken, type TracedSession, tokensOf } from './session.ts'

/** The parts of a recording that a trace does not mention at all (not those that a policy hides). */
export interface Coverage {
  /** Share of the recording's characters that the trace contains. */
  readonly share: number
  /** The missing tokens of each item; complete items are absent. */
  readonly untold: ReadonlyMap<number, number>
}

/** Line by line, so that a program may cut a conversation into other items than we do. */
export function coverageOf(unpruned: TracedSession, session: TracedSession): Coverage {
  const untold = new Map<number, number>()
  let tracedLines: ReadonlySet<string> | undefined
  let all = 0
  let missing = 0
  for (const item of unpruned.items) {
    all += item.text.length
    if (session.items[item.i]?.text === item.text) continue
    tracedLines ??= new Set(session.items.flatMap(({ text }) => text.split('\n')))
    const traced = tracedLines
    const lines = item.text.split('\n').filter((line) => !traced.has(line))
    // Counts the line break after each line except the last.
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
    const characters = Math.min(item.text.length, length)
    if (characters > 0) untold.set(item.i, characters / charactersPerToken)
    missing += characters
  }
  return { share: all === 0 ? 1 : 1 - missing / all, untold }
}

/**
 * The prompts of a policy as they are priced. Requests and text that the trace leaves out count as sent by the agent, so
 * that leaving them out saves nothing.
 */
export function pricedPrompts(
  unpruned: TracedSession,
  session: TracedSession,
  { untold }: Coverage,
): readonly { readonly pieces: readonly Piece[]; readonly at: number | null }[] {
  // Numbers that the policy's own renditions do not have: halves for the agent's, negative ones for missing text.
  return unpruned.requests.map((own, index) => {
    const request = session.requests[index]
    if (request === undefined) {
      const pieces = own.view.map(({ r, text }) => ({ id: r + 0.5, tokens: tokensOf(text) }))
      return { pieces, at: own.at }
    }
    const silent = own.view.flatMap(({ item }) => {
      const tokens = untold.get(item.i)
      return tokens === undefined ? [] : [{ id: -1 - item.i, tokens }]
    })
    return { pieces: [...piecesOf(request.view), ...silent], at: own.at }
  })
}
