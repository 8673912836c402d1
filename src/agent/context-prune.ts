import { pruneAnswer } from '../core/words/context-tools.ts'
import { shortTokens } from '../report/short-tokens.ts'
import { findItem } from './find-item.ts'
import { type Asker, type ItemOutcome, pruneItem } from './prune-item.ts'
import { type PruneAction, type PruneTarget, readPruneRequest } from './prune-request.ts'
import { findSpan, overlaps, replaceSpan, type Span } from './replace-span.ts'
import type { AgentSession } from './session.ts'

/** The outcome for one target. */
export type PruneOutcome =
  | ItemOutcome
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly handles: readonly string[] }
  /** The arguments are not valid. */
  | { readonly kind: 'invalid'; readonly why: string }

export interface PruneAnswer {
  /** The target's handle, or the beginning of its start marker. */
  readonly target: string
  readonly outcome: PruneOutcome
}

export interface Pruned {
  readonly answers: readonly PruneAnswer[]
  /** Estimated tokens that the next request saves. */
  readonly tokens: number
  /** The answer for the model, one line for each target. */
  readonly text: string
}

/**
 * `context_prune`: each target gets its own answer. "✓" means that the next request no longer contains it.
 *
 * @example
 * contextPrune(session, { action: 'discard', targets: [['a1b2c3'], ['d4e5f6']] }).text
 */
export function contextPrune(
  session: AgentSession,
  input: unknown,
  asker: Asker = 'agent',
): Pruned {
  const request = readPruneRequest(input)
  if (request.kind === 'invalid') {
    const text = pruneAnswer.writeNothing(request.why)
    return { answers: [], tokens: 0, text }
  }
  const answers =
    request.action === 'replace'
      ? replaceAll(session, request.targets, asker)
      : request.targets.map((target) => pruneOne(session, target, asker))
  return summarise(request.action, answers)
}

/** The answer for the model, with one line for each target. */
export function summarise(action: PruneAction, answers: readonly PruneAnswer[]): Pruned {
  const tokens = answers.reduce(
    (sum, { outcome }) => sum + (outcome.kind === 'pruned' ? outcome.tokens : 0),
    0,
  )
  const pruned = answers.filter(({ outcome }) => outcome.kind === 'pruned').length
  const head = pruneAnswer.write(action, pruned, answers.length, shortTokens(tokens))
  return { answers, tokens, text: [head, ...answers.map(answerLine)].join('\n') }
}

function answerLine({ target, outcome }: PruneAnswer): string {
  switch (outcome.kind) {
    case 'pruned':
      return `✓ ${target} pruned (~${shortTokens(outcome.tokens)})`
    case 'already pruned':
      return `– ${target} already pruned`
    case 'protected':
      return `✗ ${target} protected: ${outcome.why}`
    case 'unknown':
      return `✗ ${target} unknown: see context_info for what there is`
    case 'ambiguous':
      return `✗ ${target} ambiguous: ${[...new Set(outcome.handles)].join(', ')}`
    case 'invalid':
      return `✗ ${target} not understood: ${outcome.why}`
  }
}

function pruneOne(session: AgentSession, target: PruneTarget, asker: Asker): PruneAnswer {
  if (target.kind === 'invalid') {
    return { target: target.label, outcome: { kind: 'invalid', why: target.why } }
  }
  if (target.kind === 'replace') return { target: labelOf(target), outcome: { kind: 'unknown' } }
  const found = findItem(session, target.handle)
  if (found.kind !== 'found') return { target: target.handle, outcome: found }
  const summary = target.kind === 'distill' ? target.summary : null
  const outcome = pruneItem(session, found, { asker, summary })
  return { target: found.item.handle, outcome }
}

function replaceAll(
  session: AgentSession,
  targets: readonly PruneTarget[],
  asker: Asker,
): readonly PruneAnswer[] {
  // All spans are found before any is replaced, so that no target matches another's replacement.
  const searches = targets.map((target) =>
    target.kind === 'replace' ? findSpan(session, target) : null,
  )
  const taken: Span[] = []
  return targets.map((target, at): PruneAnswer => {
    const search = searches[at]
    if (target.kind !== 'replace' || search === null || search === undefined) {
      return pruneOne(session, target, asker)
    }
    const label = labelOf(target)
    if (search.kind !== 'found') return { target: label, outcome: search }
    if (taken.some((span) => overlaps(span, search.span))) {
      return { target: label, outcome: { kind: 'invalid', why: 'it overlaps with another target' } }
    }
    taken.push(search.span)
    // Search again, because an earlier replacement in the same item may have moved the span.
    const again = findSpan(session, target)
    const span = again.kind === 'found' ? again.span : search.span
    return {
      target: label,
      outcome: replaceSpan(session, span, { replacement: target.replacement, asker }),
    }
  })
}

function labelOf({ start }: Extract<PruneTarget, { readonly kind: 'replace' }>): string {
  const line = start.replaceAll(/\s+/g, ' ').trim()
  return `"${line.length > 30 ? `${line.slice(0, 29)}…` : line}"`
}
