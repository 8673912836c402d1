import type { Decision } from '../../words/decision.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import { firstSeen } from '../due-turns.ts'
import { createAgeChecks } from '../retain/age-checks.ts'
import { withNames } from '../retain/features.ts'
import { type Arrival, createNeedTracker, isWorkedOn } from '../retain/need-tracker.ts'
import { leastProbabilityOfNeed, probabilityOfNeed } from '../retain/probability.ts'
import {
  expectedRestores,
  isWorthShortening,
  leastExpectedRestores,
  type Stakes,
} from '../retain/worth.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { shortForm } from './retention-forms.ts'

const strategy = 'retention'
/** A file that was changed within this many requests is being worked on. */
const workedOnTurns = 3
/** A short form must be at most this share of what is shown. */
const mostShare = 0.6
/** An estimate for the system prompt and the tools, in characters. */
const prefixChars = 72_000

/**
 * `retention`: a result that will probably not be needed again is shown in a short form, with the handle that restores it.
 * Each result is checked at a few ages; sent results change at the next epoch. Failures, files being worked on, and
 * replaced or restored results are left alone.
 */
export const retention: StrategyFactory = (settings) => {
  const { enabled, risk, coefficients } = settings.retention
  // It compares the cost of restoring with the savings; `eager` does not compare costs.
  if (!enabled || settings.schedule === 'eager') return null
  const tracker = createNeedTracker()
  const ageChecks = createAgeChecks<Candidate>()
  const candidates = new Map<number, Candidate>()
  /** The candidates that may still be shortened, in the order of the session. */
  let open: Candidate[] = []
  let contextChars = prefixChars
  const stakes = {
    originalChars: 0,
    shownChars: 0,
    shortChars: 0,
    contextChars: 0,
    turn: 0,
    isWritten: false,
  }

  function* consider(
    candidate: Candidate,
    view: View,
    { isWritten }: Pick<Stakes, 'isWritten'>,
  ): Proposals {
    const { result, arrival } = candidate
    const { turn } = view
    if (turn - arrival.turn < leastAge(candidate.operation)) return
    if (isWorkedOn(arrival, turn, workedOnTurns)) return
    const features = tracker.seenOf(arrival, turn, candidate.pointedToAt)
    stakes.originalChars = candidate.chars
    stakes.shownChars = candidate.chars
    stakes.shortChars = candidate.form?.length ?? 0
    stakes.contextChars = contextChars
    stakes.turn = turn
    stakes.isWritten = isWritten
    // Cheap checks come first, because most results fail them. Counting names is the most expensive one.
    const least = leastExpectedRestores(features, coefficients)
    if (!isWorthShortening(least, stakes, risk)) return
    const shownChars = shownLength(result, view.decisions.of(result.index))
    if (shownChars === null || isTooLong(candidate.form ?? null, shownChars)) return
    stakes.shownChars = shownChars
    if (!isWorthShortening(least, stakes, risk) || !mayShorten(result, view)) return
    const leastNeed = expectedRestores(features, leastProbabilityOfNeed(features, coefficients))
    if (!isWorthShortening(leastNeed, stakes, risk)) return
    const text = formOf(candidate, view)
    if (text === null || isTooLong(text, shownChars)) return
    stakes.shortChars = text.length
    if (!isWorthShortening(leastNeed, stakes, risk)) return
    const complete = withNames(features, tracker.namesSince(arrival))
    const need = expectedRestores(features, probabilityOfNeed(complete, coefficients))
    if (!isWorthShortening(need, stakes, risk)) return
    const rendition = { how: 'truncated', text } as const
    const outcome = yield {
      kind: 'show',
      item: result,
      rendition,
      reason: 'output',
      strategy,
      by: null,
      need,
    }
    // A result that waits for an epoch is not checked again, because its form is expensive and would be the same.
    if (outcome !== 'refused') candidate.isSettled = true
  }

  /** Notes which result a read points to instead of repeating its lines. */
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
        chars: outputOf(operation).length,
        arrival,
        pointedToAt: 0,
        isSettled: false,
        form: undefined,
      }
      candidates.set(result.index, candidate)
      open.push(candidate)
      ageChecks.add(view.turn, candidate)
    },
    message(message) {
      tracker.observeMessage(message)
      for (const { text } of message.items) contextChars += text.length
    },
    needOf(operation, turn) {
      const features = tracker.featuresOf(operation, turn)
      if (features === null) return null
      return expectedRestores(features, probabilityOfNeed(features, coefficients))
    },
    *request(view) {
      for (const candidate of ageChecks.due(view.turn)) {
        if (!candidate.isSettled) yield* consider(candidate, view, { isWritten: false })
      }
    },
    *epoch(view) {
      open = open.filter(({ isSettled }) => !isSettled)
      for (const candidate of open.toReversed()) {
        if (!view.mayChange(candidate.result)) break
        const isSeen = view.turn - candidate.arrival.turn >= firstSeen
        if (isSeen) yield* consider(candidate, view, { isWritten: true })
      }
    },
  }
}

interface Candidate {
  readonly operation: Operation
  readonly result: ResultItem
  readonly chars: number
  readonly arrival: Arrival
  /** The newest request with a read that points to this result instead of repeating its lines. */
  pointedToAt: number
  isSettled: boolean
  /** The short form; undefined until it is made. It does not change afterwards. */
  form: string | null | undefined
}

function formOf(candidate: Candidate, view: View): string | null {
  const { operation, result } = candidate
  if (candidate.form === undefined) candidate.form = shortForm(operation, result, view)
  return candidate.form
}

function isTooLong(form: string | null, shownChars: number): boolean {
  return form !== null && form.length > shownChars * mostShare
}

/** The shown length of a result that may still be shortened; null when it was replaced. */
function shownLength(result: ResultItem, standing: Decision | undefined): number | null {
  if (standing === undefined) return result.text.length
  const isCut = standing.rendition.how === 'truncated' && standing.strategy !== strategy
  return isCut ? (standing.rendition.text?.length ?? null) : null
}

/** False for results that were restored or that the agent cleared. */
function mayShorten(result: ResultItem, { decisions, isVisible }: View): boolean {
  return result.opaque !== true && !decisions.isReverted(result.index) && isVisible(result)
}

/** A list of paths has no shorter form. */
function isKeptWhole({ action }: Operation): boolean {
  return action.kind === 'glob'
}

/** A sub-agent's report is already a summary, so it stays whole for longer. */
function leastAge({ action }: Operation): number {
  return action.kind === 'task' ? 15 : 0
}
