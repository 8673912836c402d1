import { estimateTokens } from '../record/tokens.ts'
import { showsNoContent } from '../render/marks.ts'
import { clientTextOf } from '../words/client-text.ts'
import type { How, RenditionProposal } from '../words/decision.ts'
import type { Decisions } from '../words/ledger.ts'
import { type Operation, outputOf } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import { isProtectedFromAgent } from './agent-protection.ts'
import { protectedPathsOf } from './protected-paths.ts'
import { firstFreeRequest, isProtected, isRecent } from './protection-window.ts'
import { type RestoreLimits, whyNotFold } from './restore-limits.ts'
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
  /** When left out, every item counts as one that the agent can restore. */
  readonly restoreLimits?: RestoreLimits
}

const allow: Verdict = { kind: 'allow' }
const veto = (why: string): Verdict => ({ kind: 'veto', why })

/** Decides whether an item may be shown as proposed. Manual mode does not block what the user or the agent requested. */
export function judge(guarded: GuardedProposal): Verdict {
  const { proposal, settings, operation, protection } = guarded
  const { item, rendition, reason } = proposal
  if (guarded.decisions.isReverted(item.index)) return veto('it was restored')
  if (!settings.enabled) return veto('pruning is switched off')
  if (
    !isAsked(proposal) &&
    settings.manualMode.enabled &&
    !settings.manualMode.automaticStrategies
  ) {
    return veto('manual mode')
  }
  if (item.opaque === true) return veto('it is data of the provider, which must not change')
  const whyNot = whyNotFold(proposal, guarded.restoreLimits, settings)
  if (whyNot !== null) return veto(whyNot)
  if ((item.kind === 'call' || item.kind === 'result') && operation === undefined) {
    return veto('the call has not completed')
  }
  if (item.kind === 'result' && showsNoContent(item.text))
    return veto('it only points to something else')
  if (proposal.by?.kind === 'result' && showsNoContent(proposal.by.text)) {
    return veto('what would replace it is hidden')
  }
  if (item.kind === 'text' && item.role !== 'assistant') {
    const isClientText = reason === 'injected' && clientTextOf(item.text) !== null
    if (reason !== 'code-block' && !isClientText) return veto("the user's text is never changed")
    if (isSummary(item.text)) return veto('it summarises messages that are gone')
  }
  if (item.kind === 'reasoning' && item.binding !== 'plain') {
    if (rendition.text !== null) return veto('signed reasoning can only be removed whole')
    if (!guarded.mayDrop)
      return veto('signed reasoning that was sent is removed only when an epoch opens')
    // Providers require the reasoning of the current turn together with its tool results.
    if (guarded.isLive) return veto("signed reasoning stays until the user's next message")
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
  /** The request that is being prepared. */
  readonly turn: number
  turnOf(item: number): number
  /** The items whose renditions say that their lines are shown in this one. */
  pointingTo(item: number): readonly number[]
}

/** Vetoes an automatic proposal because of what other items depend on. */
export function judgeLinks(linked: LinkedProposal): Verdict {
  if (wasShownBefore(linked)) return veto('it was shown before')
  if (isPointedTo(linked) || foldsTarget(linked)) return veto('something newer points to it')
  const pointersTurn = protectedPointersTurn(linked)
  if (pointersTurn !== null)
    return { kind: 'later', turn: firstFreeRequest(pointersTurn, linked.settings) }
  return pointsToHidden(linked) ? veto('what it points to is hidden') : allow
}

/** The newest turn of the pointers to a superseded item that are still protected: they go together. null when there is none. */
function protectedPointersTurn(linked: LinkedProposal): number | null {
  const { proposal, decisions, settings, turn, turnOf } = linked
  if (proposal.rendition.how !== 'superseded' || isAsked(proposal)) return null
  const turns = decisions
    .replacedBy(proposal.item.index)
    .filter((index) => decisions.of(index)?.rendition.how === 'pointer')
    .map(turnOf)
    .filter((each) => isProtected(each, turn, settings))
  return turns.length === 0 ? null : Math.max(...turns)
}

/**
 * True when the item or its replacement arrived already pruned, so part of its text is missing. Views then do nothing,
 * because they need the complete text of a file.
 */
function wasShownBefore({ proposal, shownBefore, settings }: LinkedProposal): boolean {
  const { item, by, strategy } = proposal
  if (shownBefore.size === 0 || isAsked(proposal)) return false
  if (shownBefore.has(item.index) || (by !== null && shownBefore.has(by.index))) return true
  return settings.files === 'current-view' && needsWholeFiles.has(strategy)
}

/** Strategies that must see everything that shows a file. */
const needsWholeFiles: ReadonlySet<string> = new Set(['files', 'pruneReplacedText', 'oldInputs'])

/** True when an item that is not older than the replacement says that its lines are shown in this one. */
function isPointedTo(linked: LinkedProposal): boolean {
  const { by, rendition } = linked.proposal
  if (rendition.how !== 'superseded' || isAsked(linked.proposal)) return false
  return pointers(linked).some(
    (index) => index !== by?.index && (by === null || linked.turnOf(index) >= by.turn),
  )
}

const keepsLines: ReadonlySet<How> = new Set(['superseded', 'view'])

/** True for a shorter form of text that a later item names as the place where its own lines are shown. */
function foldsTarget(linked: LinkedProposal): boolean {
  const { by, rendition, strategy } = linked.proposal
  if (keepsLines.has(rendition.how) || isAsked(linked.proposal)) return false
  if (strategy === 'files' && rendition.how !== 'stripped') return false
  return pointers(linked).some((index) => by === null || linked.turnOf(index) >= by.turn)
}

/** The items that say that their lines are shown in the proposal's item. */
function pointers({
  proposal: { item },
  decisions,
  pointingTo,
}: LinkedProposal): readonly number[] {
  const replaced = decisions.replacedBy(item.index).filter((index) => {
    return decisions.of(index)?.rendition.how === 'pointer'
  })
  return [...replaced, ...pointingTo(item.index)]
}

/** True for a pointer to an item that is no longer shown; that may have happened since it was proposed. */
function pointsToHidden({ proposal, decisions, settings }: LinkedProposal): boolean {
  const { by, rendition, strategy } = proposal
  if (rendition.how !== 'pointer' || by === null) return false
  const standing = decisions.of(by.index)
  if (standing === undefined) return false
  const { how } = standing.rendition
  if (how !== 'view' && how !== 'truncated') return true
  // A view and a partial read show lines of a file; `files` has checked which.
  return (
    settings.files === 'current-view' && (strategy !== 'files' || standing.strategy !== 'files')
  )
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
  return isRecentError ? veto('it is an error of a protected turn') : null
}

const finalForms: ReadonlySet<How> = new Set(['superseded', 'discarded', 'distilled'])

/** A replaced item stays replaced; a shortened item may still be replaced, and a view may be renewed. */
function judgeEarlierDecision({ proposal, decisions }: GuardedProposal): Verdict | null {
  const standing = decisions.of(proposal.item.index)
  if (standing === undefined) return null
  const { how, text } = proposal.rendition
  if (standing.rendition.how === how && standing.rendition.text === text)
    return veto('decided already')
  // The list of a run of edits grows with the run, and moves to the newest.
  const isRenewed = proposal.reason === 'edits' && standing.reason === 'edits'
  const isFinal = finalForms.has(standing.rendition.how) && how !== 'view' && !isRenewed
  return isFinal ? veto('decided already') : null
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
      : veto('only reasoning and markers can be removed whole')
  }
  if (text === '') return veto('the new text is empty')
  // The strategy compares a view with all the items that it replaces.
  return how !== 'view' && !isShorter(text, proposal) ? veto('no shorter than the original') : null
}

/** In texts up to this length, handles and symbols may cost more tokens than the characters saved. */
const shortChars = 1000

/** Every handle counts as this one, so that the result does not depend on its digits. */
const costlyHandle = 'a1b2c3'

/** Compares characters, and also tokens where fewer characters may be more tokens. */
function isShorter(text: string, { item, by, sparedChars }: RenditionProposal): boolean {
  const { length } = item.text
  if (sparedChars !== undefined) return text.length < length + sparedChars
  if (text.length >= length) return false
  // An attachment's text only names it; the bytes cost far more.
  if (item.kind === 'attachment') return true
  if (length > shortChars || text.length * 2 <= length) return true
  const own = text.replaceAll(item.handle, costlyHandle)
  return estimateTokens(by === null ? own : own.replaceAll(by.handle, costlyHandle)) <= item.tokens
}
