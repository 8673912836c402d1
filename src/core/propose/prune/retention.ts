import type { Decision } from '../../words/decision.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import { createAskedAges } from '../retain/asked-ages.ts'
import { type Arrival, createNeedTracker, isWorkedOn } from '../retain/need-tracker.ts'
import { probabilityOfNeed } from '../retain/probability.ts'
import { isWorthFetching, probabilityOfFetch } from '../retain/worth.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { shortForm } from './retention-forms.ts'

const strategy = 'retention'
/** A file that was changed in so many of the last requests is being worked on. */
const workedOnTurns = 3
/** A form that is not shorter than this share of what is shown is not worth a change. */
const mostShare = 0.6
/** What the system prompt and the tools take, about, in characters. */
const prefixChars = 72_000

/**
 * `retention`: a result that will probably not be needed again is shown in a short form, with the handle that brings it
 * back. Each is asked about at a few ages; what was sent already changes at the next epoch. Failures, files that are
 * being worked on and what was replaced or asked for are left alone.
 */
export const retention: StrategyFactory = (settings) => {
  const { enabled, risk, coefficients } = settings.retention
  // It weighs what fetching back would cost against what is saved; whoever applies everything at once weighs nothing.
  if (!enabled || settings.schedule === 'eager') return null
  const tracker = createNeedTracker()
  const asked = createAskedAges<Candidate>()
  const candidates = new Map<number, Candidate>()
  let contextChars = prefixChars

  function* consider(candidate: Candidate, view: View): Proposals {
    const { operation, result, arrival } = candidate
    const { turn } = view
    if (isWorkedOn(arrival, turn, workedOnTurns)) return
    const shownChars = shownLength(result, view.decisions.of(result.index))
    if (shownChars === null || !mayShorten(result, view)) return
    const features = tracker.featuresAt(arrival, turn, candidate.pointedToAt)
    const probability = probabilityOfNeed(features, coefficients)
    const need = probabilityOfFetch({ isFileText: arrival.isFileText, probability })
    const originalChars = outputOf(operation).length
    const isWorth = (shortChars: number): boolean =>
      isWorthFetching(need, { originalChars, shownChars, shortChars, contextChars, turn }, risk)
    // Making the short form takes long, and most results are kept whatever its length is.
    if (!isWorth(0)) return
    const text = shortForm(operation, result, view)
    if (text === null || text.length > shownChars * mostShare || !isWorth(text.length)) return
    const rendition = { how: 'truncated', text } as const
    const proposal = {
      item: result,
      rendition,
      reason: 'output',
      strategy,
      by: null,
      need,
    } as const
    const outcome = yield { kind: 'show', ...proposal }
    // What waits for an epoch is not asked about again: the form would be the same.
    if (outcome !== 'refused') candidate.isSettled = true
  }

  function notePointer({ result }: Operation, { decisions, turn }: View): void {
    const standing = result === null ? undefined : decisions.of(result.index)
    if (standing?.strategy !== 'files' || standing.by === null) return
    const candidate = candidates.get(standing.by)
    if (candidate !== undefined) candidate.pointedToAt = turn
  }

  return {
    name: strategy,
    operation(operation, view) {
      const arrival = tracker.observe(operation, view.turn)
      notePointer(operation, view)
      const { status, result } = operation
      if (arrival === null || status !== 'ok' || result === null || isKeptWhole(operation)) return
      const candidate: Candidate = {
        operation,
        result,
        arrival,
        pointedToAt: 0,
        isSettled: false,
      }
      candidates.set(result.index, candidate)
      asked.add(view.turn, candidate)
    },
    message(message) {
      tracker.hear(message)
      for (const { text } of message.items) contextChars += text.length
    },
    needOf(operation, turn) {
      const features = tracker.featuresOf(operation, turn)
      if (features === null) return null
      const probability = probabilityOfNeed(features, coefficients)
      return probabilityOfFetch({ isFileText: features.isFileText, probability })
    },
    *request(view) {
      for (const candidate of asked.due(view.turn)) {
        if (!candidate.isSettled) yield* consider(candidate, view)
      }
    },
  }
}

interface Candidate {
  readonly operation: Operation
  readonly result: ResultItem
  readonly arrival: Arrival
  /** The newest request whose read left out what the result shows. */
  pointedToAt: number
  isSettled: boolean
}

/** How long an item is shown that may still get shorter; null for one that stands for something else. */
function shownLength(result: ResultItem, standing: Decision | undefined): number | null {
  if (standing === undefined) return result.text.length
  const isCut = standing.rendition.how === 'truncated' && standing.strategy !== strategy
  return isCut ? (standing.rendition.text?.length ?? null) : null
}

/** False for what somebody wants as it is, or points to. */
function mayShorten(result: ResultItem, { decisions, isVisible }: View): boolean {
  if (result.opaque === true || decisions.isReverted(result.index) || !isVisible(result))
    return false
  return !decisions.replacedBy(result.index).some((index) => {
    const { rendition, strategy: from } = decisions.of(index) ?? {}
    return rendition?.how === 'pointer' && from === 'admission'
  })
}

/** Paths are what a list is for, and what another agent reports was distilled once. */
function isKeptWhole({ action }: Operation): boolean {
  return action.kind === 'glob' || action.kind === 'task'
}
