import { checkedAges, leastAskedChars } from '../retain/checked-ages.ts'
import type { NeedFeatures } from '../retain/features.ts'
import { createNeedTracker } from '../retain/need-tracker.ts'
import { probabilityOfNeed } from '../retain/probability.ts'
import { isWorthIt, probabilityOfFetch } from '../retain/worth.ts'
import type { Scene, StrategyFactory } from '../strategy.ts'
import type { Operation, ResultItem } from '../track/operation.ts'
import { createDueTurns } from './due-turns.ts'
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
  const due = createDueTurns<Operation>()
  const settled = new Set<number>()
  /** By result, the newest request whose read left out what it shows. */
  const leanedOn = new Map<number, number>()
  let contextChars = prefixChars

  function consider(operation: Operation, result: ResultItem, scene: Scene): void {
    const shownChars = shownLength(result, scene)
    const known = shownChars === null ? null : tracker.featuresOf(operation, scene.turn)
    if (shownChars === null || known === null || isWorkedOn(known)) return
    const features = asLastSeen(result, known, scene.turn)
    const probability = probabilityOfNeed(features, coefficients)
    const bargain = {
      isFileText: features.isFileText,
      probability,
      originalChars: result.text.length,
      shownChars,
      contextChars,
      turn: scene.turn,
      shortChars: 0,
    }
    // The form is made only where the best one would do.
    if (!isWorthIt(bargain, risk)) return
    const text = shortForm(operation, result, scene)
    if (text === null || text.length > shownChars * mostShare) return
    if (!isWorthIt({ ...bargain, shortChars: text.length }, risk)) return
    const rendition = { how: 'truncated', text } as const
    const need = probabilityOfFetch(bargain)
    const outcome = scene.propose({
      item: result,
      rendition,
      reason: 'output',
      strategy,
      by: null,
      need,
    })
    // What waits for an epoch is not asked about again: the form would be the same, and it is dear to make.
    if (outcome !== 'refused') settled.add(result.index)
  }

  /** What a later read points to was seen when that came. */
  function asLastSeen(result: ResultItem, features: NeedFeatures, turn: number): NeedFeatures {
    const age = Math.min(features.age, turn - (leanedOn.get(result.index) ?? 0))
    return age < features.age ? { ...features, age, readsSince: 0 } : features
  }

  function lean(operation: Operation, { ledger, turn }: Scene): void {
    const standing = operation.result === null ? undefined : ledger.of(operation.result.index)
    if (standing?.strategy === 'files' && standing.by !== null) leanedOn.set(standing.by, turn)
  }

  return {
    name: strategy,
    operation(operation, scene) {
      tracker.observe(operation, scene.turn)
      lean(operation, scene)
      if (isKeptWhole(operation)) return
      const { status, result } = operation
      if (status !== 'ok' || result === null || result.text.length < leastAskedChars) return
      for (const age of checkedAges) due.add(scene.turn + age, operation)
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
    request(scene) {
      for (const operation of due.take(scene.turn))
        if (operation.result !== null && !settled.has(operation.result.index))
          consider(operation, operation.result, scene)
    },
  }
}

/** How long an item is shown that may still get shorter; null for one that may not. */
function shownLength(result: ResultItem, { ledger, isVisible }: Scene): number | null {
  if (result.opaque === true || ledger.isReverted(result.index) || !isVisible(result)) return null
  const standing = ledger.of(result.index)
  const isPointedTo = ledger.replacedBy(result.index).some((index) => {
    const { rendition, strategy: from } = ledger.of(index) ?? {}
    return rendition?.how === 'pointer' && from === 'admission'
  })
  if (isPointedTo) return null
  if (standing === undefined) return result.text.length
  const isCut = standing.rendition.how === 'truncated' && standing.strategy !== strategy
  return isCut ? (standing.rendition.text?.length ?? null) : null
}

/** Paths are what a list is for, and what another agent reports was distilled once. */
function isKeptWhole({ action }: Operation): boolean {
  return action.kind === 'glob' || action.kind === 'task'
}

function isWorkedOn({ isFileText, editsSince, quiet }: NeedFeatures): boolean {
  return isFileText && editsSince > 0 && quiet < workedOnTurns
}
