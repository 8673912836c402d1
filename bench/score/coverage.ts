import { type Piece, piecesOf } from './price.ts'
import { charactersPerToken, type TracedSession, tokensOf } from './session.ts'

/** What a trace leaves out of the recording: not what a policy hides, but what the trace does not tell of. */
export interface Coverage {
  /** Share of the recording's characters that the trace tells. */
  readonly share: number
  /** The tokens of each item that the trace does not tell; items that it tells whole are absent. */
  readonly untold: ReadonlyMap<number, number>
}

/** Line by line, so that a program may cut a conversation into other items than we do. */
export function coverageOf(unpruned: TracedSession, session: TracedSession): Coverage {
  const untold = new Map<number, number>()
  let toldLines: ReadonlySet<string> | undefined
  let all = 0
  let missing = 0
  for (const item of unpruned.items) {
    all += item.text.length
    if (session.items[item.i]?.text === item.text) continue
    toldLines ??= new Set(session.items.flatMap(({ text }) => text.split('\n')))
    const told = toldLines
    const lines = item.text.split('\n').filter((line) => !told.has(line))
    // Each with the line break behind it, which the last one has not.
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
    const characters = Math.min(item.text.length, length)
    if (characters > 0) untold.set(item.i, characters / charactersPerToken)
    missing += characters
  }
  return { share: all === 0 ? 1 : 1 - missing / all, untold }
}

/**
 * The prompts of a policy as they are priced. Requests that the trace leaves out count as the agent sent them, and what
 * it does not tell of an item counts as sent: silence saves nothing.
 */
export function pricedPrompts(
  unpruned: TracedSession,
  session: TracedSession,
  { untold }: Coverage,
): readonly { readonly pieces: readonly Piece[]; readonly at: number | null }[] {
  // Numbers that the policy's own renditions do not have: halves for the agent's, negative ones for what is untold.
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
