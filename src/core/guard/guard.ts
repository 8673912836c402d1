import { estimateTokens } from '../record/tokens.ts'
import { showsNoContent } from '../render/marks.ts'
import type { How, RenditionProposal } from '../words/decision.ts'
import type { Decisions } from '../words/ledger.ts'
import { type Operation, outputOf } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import { isProtectedFromAgent } from './agent-protection.ts'
import { protectedPathsOf } from './protected-paths.ts'
import { firstFreeRequest, isProtected, isRecent } from './protection-window.ts'
import { isSummary } from './summary.ts'

/** The tools and files that the user protects from all pruning. Patterns are matched outside the core. */
export interface Protection {
  tool(name: string): boolean
  file(path: string): boolean
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'veto'; readonly why: string }
  /** The item is in the protected turns until this request. */
  | { readonly kind: 'later'; readonly turn: number }

interface GuardedProposal {
  readonly proposal: RenditionProposal
  /** The operation that the item belongs to, where it is a call or a result. */
  readonly operation: Operation | undefined
  readonly decisions: Pick<Decisions, 'of' | 'isReverted'>
  /** The request that is being prepared. */
  readonly turn: number
  /** True when the item may change at this request: it was never sent, or an epoch is open. */
  readonly mayDrop: boolean
  /** True when no user message followed, so the item belongs to the turn in progress. */
  readonly isLive: boolean
  readonly settings: Settings
  readonly protection: Protection
}

const allow: Verdict = { kind: 'allow' }
const veto = (why: string): Verdict => ({ kind: 'veto', why })

/** Decides whether an item may be shown as proposed. Manual mode does not block what the user or the agent requested. */
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
  if (item.kind === 'result' && showsNoContent(item.text))
    return veto('says only where something is')
  if (proposal.by?.kind === 'result' && showsNoContent(proposal.by.text)) {
    return veto('what would replace it is not there itself')
  }
  if (item.kind === 'text' && item.role !== 'assistant') {
    if (reason !== 'code-block') return veto('prose of the user is never touched')
    if (isSummary(item.text)) return veto('it stands for a history that is gone')
  }
  if (item.kind === 'reasoning' && item.binding !== 'plain') {
    if (rendition.text !== null) return veto('signed reasoning stays whole or goes whole')
    if (!guarded.mayDrop) return veto('signed reasoning only goes in an epoch that may drop it')
    // Providers require the reasoning of the current turn together with its tool results.
    if (guarded.isLive) return veto('signed reasoning stays until the user has spoken again')
  }
  const refused =
    judgeEarlierDecision(guarded) ?? judgeLength(withoutReminders(proposal, operation))
  if (refused !== null) return refused
  if ((item.kind === 'call' || item.kind === 'result') && protection.tool(item.tool)) {
    return veto(`${item.tool} is protected`)
  }
  if (reason === 'agent' && operation !== undefined) {
    const why = judgeAgent(operation, guarded)
    if (why !== null) return why
  }
  if (operation !== undefined) {
    for (const path of namedPaths(operation, settings)) {
      if (protection.file(path)) return veto(`${path} is protected`)
    }
  }
  if (isAdmission(guarded)) return allow
  if (!isProtected(item.turn, guarded.turn, settings)) return allow
  return { kind: 'later', turn: firstFreeRequest(item.turn, settings) }
}

/** True for requests by the user or the agent. */
function isAsked({ reason }: RenditionProposal): boolean {
  return reason === 'agent' || reason === 'user'
}

interface LinkedProposal {
  readonly proposal: RenditionProposal
  readonly decisions: Pick<Decisions, 'of' | 'replacedBy'>
  /** Calls and results that arrived already pruned by us. */
  readonly shownBefore: ReadonlySet<number>
  readonly settings: Settings
  turnOf(item: number): number
}

/** Vetoes an automatic proposal because of what other items depend on. */
export function judgeLinks(linked: LinkedProposal): Verdict {
  if (wasShownBefore(linked)) return veto('it was shown before')
  if (isPointedTo(linked)) return veto('something newer points to it')
  return pointsToHidden(linked) ? veto('what it points to is hidden') : allow
}

/**
 * True when the item or its replacement arrived already pruned, so part of its text is missing. Views then do nothing,
 * because they need the complete text of a file.
 */
function wasShownBefore({ proposal, shownBefore, settings }: LinkedProposal): boolean {
  const { item, by, strategy } = proposal
  if (shownBefore.size === 0 || isAsked(proposal)) return false
  if (shownBefore.has(item.index) || (by !== null && shownBefore.has(by.index))) return true
  const isOfView = strategy === 'files' || strategy === 'pruneReplacedText'
  return settings.files === 'current-view' && isOfView
}

/** True when an item that is not older than the replacement is shown as a pointer to this one. */
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

/** True for a pointer to an item that is no longer shown; that may have happened since it was proposed. */
function pointsToHidden({ proposal: { by, rendition }, decisions }: LinkedProposal): boolean {
  if (rendition.how !== 'pointer' || by === null) return false
  const how = decisions.of(by.index)?.rendition.how
  return how !== undefined && how !== 'view' && how !== 'truncated'
}

/** With protected patterns, this includes every file that the input or the command may name. */
function namedPaths(operation: Operation, { protectedFilePatterns }: Settings): readonly string[] {
  return protectedFilePatterns.length === 0 ? operation.effects.named : protectedPathsOf(operation)
}

/**
 * True when the proposal is about how the item is first sent: as a pointer to an item that is still shown, or cut because
 * it is large. Turn protection only covers what was already sent.
 */
function isAdmission({ proposal, turn }: GuardedProposal): boolean {
  const { item, rendition, by } = proposal
  if (turn !== item.turn + 1) return false
  return rendition.how === 'truncated' || (rendition.how === 'pointer' && by !== null)
}

/** The agent may not discard results of its protected tools, nor recent errors, which it should learn from. */
function judgeAgent(operation: Operation, { settings, turn }: GuardedProposal): Verdict | null {
  if (isProtectedFromAgent(operation, settings)) {
    return veto(`${operation.call.tool} is protected from the agent`)
  }
  const isRecentError = operation.status === 'error' && isRecent(operation.turn, turn, settings)
  return isRecentError ? veto('an error of a protected turn') : null
}

const finalForms: ReadonlySet<How> = new Set(['superseded', 'discarded', 'distilled'])

/** A replaced item stays replaced; a shortened item may still be replaced, and a view may be renewed. */
function judgeEarlierDecision({ proposal, decisions }: GuardedProposal): Verdict | null {
  const standing = decisions.of(proposal.item.index)
  if (standing === undefined) return null
  const { how, text } = proposal.rendition
  if (standing.rendition.how === how && standing.rendition.text === text)
    return veto('decided already')
  return finalForms.has(standing.rendition.how) && how !== 'view' ? veto('decided already') : null
}

/** Renditions leave out the reminders that agents add, so they are compared with the tool's own output. */
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
  // The strategy compares a view with all the items that it replaces.
  return how !== 'view' && !isShorter(text, proposal) ? veto('no shorter than the original') : null
}

/** In texts up to this length, handles and symbols may cost more tokens than the characters saved. */
const shortChars = 1000

/** Every handle counts as this one, so that the result does not depend on its digits. */
const costlyHandle = 'a1b2c3'

/** Compares characters, and also tokens where fewer characters may be more tokens. */
function isShorter(text: string, { item, by }: RenditionProposal): boolean {
  const { length } = item.text
  if (text.length >= length) return false
  // An attachment's text only names it; the bytes cost far more.
  if (item.kind === 'attachment') return true
  if (length > shortChars || text.length * 2 <= length) return true
  const own = text.replaceAll(item.handle, costlyHandle)
  return estimateTokens(by === null ? own : own.replaceAll(by.handle, costlyHandle)) <= item.tokens
}
