import { estimateTokens } from '../record/tokens.ts'
import { isStandIn } from '../render/marks.ts'

import type { How, RenditionProposal } from '../words/decision.ts'
import type { Decisions } from '../words/ledger.ts'

import { type Operation, outputOf } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import { isKeptFromAgent } from './agent-protection.ts'
import { protectedPathsOf } from './protected-paths.ts'
import { firstFreeRequest, isProtected, isRecent } from './protection-window.ts'
import { isSummary } from './summary.ts'

/** Which tools and files a person has protected from everything; patterns are matched outside the core. */
export interface Protection {
  tool(name: string): boolean
  file(path: string): boolean
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'veto'; readonly why: string }
  /** Not yet: the item is in the protected turns until this request. */
  | { readonly kind: 'later'; readonly turn: number }

interface GuardedProposal {
  readonly proposal: RenditionProposal
  /** The operation that the item belongs to, where it is a call or a result. */
  readonly operation: Operation | undefined
  readonly decisions: Pick<Decisions, 'of' | 'isReverted'>
  /** The request that is being prepared. */
  readonly turn: number
  /** True when what was sent of the item may change at this request: the provider saw nothing of it, or an epoch is on. */
  readonly mayDrop: boolean
  /** True when the user has not spoken since: the answer that the item is part of goes on. */
  readonly isLive: boolean
  readonly settings: Settings
  readonly protection: Protection
}

const allow: Verdict = { kind: 'allow' }
const veto = (why: string): Verdict => ({ kind: 'veto', why })

/** Whether an item may be shown as proposed. What a person or the agent asked for is not held up by manual mode. */
export function judge(guarded: GuardedProposal): Verdict {
  const { proposal, settings, operation, protection } = guarded
  const { item, rendition, reason } = proposal
  if (guarded.decisions.isReverted(item.index)) return veto('somebody wanted it back')
  if (!settings.enabled) return veto('switched off')
  if (
    !isAsked(proposal) &&
    settings.manualMode.enabled &&
    !settings.manualMode.automaticStrategies
  ) {
    return veto('manual mode')
  }
  if (item.opaque === true) return veto('the provider owns these bytes')
  if ((item.kind === 'call' || item.kind === 'result') && operation === undefined) {
    return veto('has not completed')
  }
  if (item.kind === 'result' && isStandIn(item.text)) return veto('says only where something is')
  if (proposal.by?.kind === 'result' && isStandIn(proposal.by.text)) {
    return veto('what would replace it is not there itself')
  }
  if (item.kind === 'text' && item.role !== 'assistant') {
    if (reason !== 'code-block') return veto('prose of the user is never touched')
    if (isSummary(item.text)) return veto('it stands for a history that is gone')
  }
  if (item.kind === 'reasoning' && item.binding !== 'plain') {
    if (rendition.text !== null) return veto('signed reasoning stays whole or goes whole')
    if (!guarded.mayDrop) return veto('signed reasoning only goes in an epoch that may drop it')
    // Providers want the reasoning that led to the calls of an answer with their results.
    if (guarded.isLive) return veto('signed reasoning stays until the user has spoken again')
  }
  const repeats = judgeStanding(guarded)
  if (repeats !== null) return repeats
  const fits = judgeLength(withoutReminders(proposal, operation))
  if (fits !== null) return fits
  if ((item.kind === 'call' || item.kind === 'result') && protection.tool(item.tool)) {
    return veto(`${item.tool} is protected`)
  }
  if (reason === 'agent' && operation !== undefined) {
    const why = judgeAgent(operation, guarded)
    if (why !== null) return why
  }
  if (operation !== undefined) {
    for (const path of namedIn(operation, settings)) {
      if (protection.file(path)) return veto(`${path} is protected`)
    }
  }
  if (isAdmission(guarded)) return allow
  if (!isProtected(item.turn, guarded.turn, settings)) return allow
  return { kind: 'later', turn: firstFreeRequest(item.turn, settings) }
}

/** What a person or the agent asks for. */
function isAsked({ reason }: RenditionProposal): boolean {
  return reason === 'agent' || reason === 'user'
}

interface LinkedProposal {
  readonly proposal: RenditionProposal
  readonly decisions: Pick<Decisions, 'of' | 'replacedBy'>
  /** Calls and results that came in with one of our renditions. */
  readonly shownBefore: ReadonlySet<number>
  readonly settings: Settings
  turnOf(item: number): number
}

/** Vetoes an automatic proposal because of what other items show. */
export function judgeLinks(linked: LinkedProposal): Verdict {
  if (wasShownBefore(linked)) return veto('it was shown before')
  if (isPointedTo(linked)) return veto('something newer points to it')
  return pointsToHidden(linked) ? veto('what it points to is hidden') : allow
}

/**
 * True when the item or what would replace it came in with one of our renditions, so that part of its text is missing.
 * Views then do nothing at all, because they need every text of a file.
 */
function wasShownBefore({ proposal, shownBefore, settings }: LinkedProposal): boolean {
  const { item, by, strategy } = proposal
  if (shownBefore.size === 0 || isAsked(proposal)) return false
  if (shownBefore.has(item.index) || (by !== null && shownBefore.has(by.index))) return true
  const isOfView = strategy === 'files' || strategy === 'pruneReplacedText'
  return settings.files === 'current-view' && isOfView
}

/** True when something that is not older than what would replace the item only points to it. */
function isPointedTo({ proposal, decisions, turnOf }: LinkedProposal): boolean {
  const { item, by, rendition } = proposal
  if (rendition.how !== 'superseded' || isAsked(proposal)) return false
  return decisions
    .replacedBy(item.index)
    .some(
      (index) =>
        decisions.of(index)?.rendition.how === 'pointer' &&
        (by === null || turnOf(index) >= by.turn),
    )
}

/** True for a pointer, perhaps decided some turns after it was proposed, to what is itself no longer shown. */
function pointsToHidden({ proposal: { by, rendition }, decisions }: LinkedProposal): boolean {
  if (rendition.how !== 'pointer' || by === null) return false
  const how = decisions.of(by.index)?.rendition.how
  return how !== undefined && how !== 'view' && how !== 'truncated'
}

/** With protected patterns, also every file that the input or the command may name. */
function namedIn(operation: Operation, { protectedFilePatterns }: Settings): readonly string[] {
  return protectedFilePatterns.length === 0 ? operation.effects.named : protectedPathsOf(operation)
}

/**
 * How an item is first shown takes nothing away: a pointer to what is still shown, or a large output that is cut when it
 * arrives. Turn protection is about what was sent.
 */
function isAdmission({ proposal, turn }: GuardedProposal): boolean {
  const { item, rendition, by } = proposal
  if (turn !== item.turn + 1) return false
  return rendition.how === 'truncated' || (rendition.how === 'pointer' && by !== null)
}

/** What the agent may not discard: the built-in list, and errors of the turns that are protected, to learn from. */
function judgeAgent(operation: Operation, { settings, turn }: GuardedProposal): Verdict | null {
  if (isKeptFromAgent(operation, settings)) {
    return veto(`${operation.call.tool} is protected from the agent`)
  }
  const isRecentError = operation.status === 'error' && isRecent(operation.turn, turn, settings)
  return isRecentError ? veto('an error of a protected turn') : null
}

const finalForms: ReadonlySet<How> = new Set(['superseded', 'discarded', 'distilled'])

/** What was replaced stays replaced; a shortened item may still be replaced, and a view renewed. */
function judgeStanding({ proposal, decisions }: GuardedProposal): Verdict | null {
  const standing = decisions.of(proposal.item.index)
  if (standing === undefined) return null
  const { how, text } = proposal.rendition
  if (standing.rendition.how === how && standing.rendition.text === text)
    return veto('decided already')
  return finalForms.has(standing.rendition.how) && how !== 'view' ? veto('decided already') : null
}

/** A rendition is measured against what the tool gave: it leaves the agent's reminders out too. */
function withoutReminders(
  proposal: RenditionProposal,
  operation: Operation | undefined,
): RenditionProposal {
  const { item } = proposal
  if (item.kind !== 'result' || operation === undefined) return proposal
  const text = outputOf(operation)
  if (text === item.text) return proposal
  return { ...proposal, item: { ...item, text, tokens: estimateTokens(text) } }
}

function judgeLength(proposal: RenditionProposal): Verdict | null {
  const { item, rendition } = proposal
  const { text, how } = rendition
  if (text === null) {
    return item.kind === 'reasoning' || item.kind === 'marker'
      ? null
      : veto('only reasoning and markers can be left out whole')
  }
  if (text === '') return veto('a rendition is never empty')
  // A view stands for the read and the edits that it replaces, and is measured against them by its strategy.
  return how !== 'view' && isNoShorter(text, proposal) ? veto('no shorter than the original') : null
}

/** In texts up to this length, handles and symbols may take more tokens than the saved characters. */
const shortChars = 1000

/** Every handle counts as this one, which takes many tokens, so that the verdict does not depend on the digits. */
const costlyHandle = 'a1b2c3'

/** Compares characters, and tokens where fewer characters may be more tokens. */
function isNoShorter(text: string, { item, by }: RenditionProposal): boolean {
  const { length } = item.text
  if (text.length >= length) return true
  // An attachment's text only names it; the bytes cost far more.
  if (item.kind === 'attachment') return false
  if (length > shortChars || text.length * 2 <= length) return false
  const own = text.replaceAll(item.handle, costlyHandle)
  return estimateTokens(by === null ? own : own.replaceAll(by.handle, costlyHandle)) > item.tokens
}
