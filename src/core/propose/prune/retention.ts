import { digest } from '../../render/digest/digest.ts'
import { foldStructure } from '../../render/digest/fold-structure.ts'
import { indexNames } from '../../render/digest/name-index.ts'
import { placeholderFor } from '../../render/index.ts'
import { cutMark, restoreHint } from '../../render/marks.ts'
import type { Decision } from '../../words/decision.ts'
import type { Message } from '../../words/item.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import type { Settings } from '../../words/settings.ts'
import { firstSeen } from '../due-turns.ts'
import { createAgeChecks } from '../retain/age-checks.ts'
import { type Arrival, isWorkedOn, NeedTracker } from '../retain/need-tracker.ts'
import { printsFile } from '../retain/printed-files.ts'
import { leastProbabilityOfNeed, probabilityOfNeed } from '../retain/probability.ts'
import { expectedRestores, isWorthShortening, leastExpectedRestores } from '../retain/worth.ts'
import type { Proposals, Strategy, StrategyFactory, View } from '../strategy.ts'

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
  // It compares the cost of restoring with the savings; `eager` does not compare costs.
  if (!settings.retention.enabled || settings.schedule === 'eager') return null
  return new Retention(settings.retention)
}

class Retention implements Strategy {
  readonly name = strategy
  readonly #settings: Settings['retention']
  readonly #tracker = new NeedTracker()
  readonly #ageChecks = createAgeChecks<Candidate>()
  readonly #candidates = new Map<number, Candidate>()
  /** The candidates that may still be shortened, in the order of the session. */
  #open: Candidate[] = []
  #contextChars = prefixChars

  constructor(settings: Settings['retention']) {
    this.#settings = settings
  }

  operation(operation: Operation, view: View): undefined {
    const arrival = this.#tracker.observe(operation, view.turn)
    this.#notePointer(operation, view)
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
    this.#candidates.set(result.index, candidate)
    this.#open.push(candidate)
    this.#ageChecks.add(view.turn, candidate)
  }

  message(message: Message): undefined {
    this.#tracker.observeMessage(message)
    for (const { text } of message.items) this.#contextChars += text.length
  }

  needOf(operation: Operation, turn: number): number | null {
    const features = this.#tracker.featuresOf(operation, turn)
    if (features === null) return null
    return expectedRestores(features, probabilityOfNeed(features, this.#settings.coefficients))
  }

  *request(view: View): Proposals {
    for (const candidate of this.#ageChecks.due(view.turn)) {
      if (!candidate.isSettled) yield* this.#consider(candidate, view, { isWritten: false })
    }
  }

  *epoch(view: View): Proposals {
    this.#open = this.#open.filter(({ isSettled }) => !isSettled)
    for (const candidate of this.#open.toReversed()) {
      if (!view.mayChange(candidate.result)) break
      const isSeen = view.turn - candidate.arrival.turn >= firstSeen
      if (isSeen) yield* this.#consider(candidate, view, { isWritten: true })
    }
  }

  *#consider(
    candidate: Candidate,
    view: View,
    { isWritten }: { readonly isWritten: boolean },
  ): Proposals {
    const { result, arrival, chars } = candidate
    const { turn } = view
    const { risk, coefficients } = this.#settings
    if (turn - arrival.turn < leastAge(candidate.operation)) return
    if (isWorkedOn(arrival, turn, workedOnTurns)) return
    const pays = (restores: number, shownChars: number, shortChars: number): boolean => {
      const sizes = { originalChars: chars, shownChars, shortChars }
      const stakes = { ...sizes, contextChars: this.#contextChars, turn, isWritten }
      return isWorthShortening(restores, stakes, risk)
    }
    const seen = this.#tracker.seenOf(arrival, turn, candidate.pointedToAt)
    const least = leastProbabilityOfNeed(seen, coefficients)
    // Most results fail a check with a lower bound, before a short form is made and names are counted.
    if (!pays(leastExpectedRestores(seen, least), chars, candidate.form?.length ?? 0)) return
    const shownChars = shownLength(result, view.decisions.of(result.index))
    if (shownChars === null || !mayShorten(result, view)) return
    if (!pays(expectedRestores(seen, least), shownChars, 0)) return
    const text = formOf(candidate, view)
    if (text === null || text.length > shownChars * mostShare) return
    const features = { ...seen, namesSince: this.#tracker.namesSince(arrival) }
    const need = expectedRestores(features, probabilityOfNeed(features, coefficients))
    if (!pays(need, shownChars, text.length)) return
    const rendition = { how: 'truncated', text } as const
    const proposal = {
      item: result,
      rendition,
      reason: 'output',
      strategy,
      by: null,
      need,
    } as const
    // A result that waits for an epoch is not checked again, because its form is expensive and would be the same.
    if ((yield { kind: 'show', ...proposal }) !== 'refused') candidate.isSettled = true
  }

  /** Notes which result a read points to instead of repeating its lines. */
  #notePointer({ result }: Operation, { decisions, turn }: View): void {
    const standing = result === null ? undefined : decisions.of(result.index)
    if (standing?.strategy !== 'files' || standing.by === null) return
    const candidate = this.#candidates.get(standing.by)
    if (candidate !== undefined) candidate.pointedToAt = turn
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

/** The target and the maximum for the signatures of a file. Beyond the maximum, only names are listed. */
const fileChars = 800
const mostFileChars = 2400
const namesChars = 400
/** This share of the file's size is added to each of these limits. */
const fileShare = 0.02
/** For output that was seen. A later call copies names from it, and a name takes less room than its line. */
const foldedLimits = { leastChars: 400, targetChars: 250, mustChars: 250, namesChars: 600 }

/** The short form of a result: its structure, or the names in it that a later call may copy. */
function shortForm(
  operation: Operation,
  result: ResultItem,
  { restore }: Pick<View, 'restore'>,
): string | null {
  const { handle, tool, status } = result
  const { action } = operation
  const text = outputOf(operation)
  const recall = restoreHint({ handle, restore })
  if (printsFile(action)) {
    const more = Math.floor(text.length * fileShare)
    const targetChars = fileChars + more
    const folded = foldStructure(text, { targetChars, mostChars: mostFileChars + more, recall })
    if (folded !== null) return folded
    const placeholder = placeholderFor(operation, null, 'output', { handle, restore })
    return namesOf(text, placeholder, namesChars + more)
  }
  const limits = { ...foldedLimits, recall }
  return digest({ text, tool, action, status, request: null }, limits)
}

/** A placeholder with the names that a later call may copy. */
function namesOf(text: string, placeholder: string, chars: number): string {
  const { names, more } = indexNames([text], placeholder, { chars })
  if (names.length === 0) return placeholder
  return `${placeholder}\n${cutMark.write(cutMark.leftOutNames(names, more))}`
}
