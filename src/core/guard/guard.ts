import { estimateTokens } from '../record/tokens.ts'
import { isStandIn } from '../render/marks.ts'
import type { Decision, How, Proposal } from '../words/decision.ts'
import { type Operation, outputOf } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import { isKeptFromAgent } from './agent-protection.ts'
import { protectedPathsOf } from './protected-paths.ts'
import { isSummary } from './summary.ts'

/** Which tools and files a person has protected from everything; patterns are matched outside the core. */
export interface Protection {
  tool(name: string): boolean
  file(path: string): boolean
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'veto'; readonly why: string }
  /** Not now: the item is in the protected turns until this request. */
  | { readonly kind: 'later'; readonly turn: number }

interface GuardedProposal {
  readonly proposal: Proposal
  /** The operation that the item belongs to, where it is a call or a result. */
  readonly operation: Operation | undefined
  /** The decision that holds for the item now. */
  readonly standing: Decision | undefined
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
  const asked = reason === 'agent' || reason === 'user'
  if (!settings.enabled) return veto('switched off')
  if (!asked && settings.manualMode.enabled && !settings.manualMode.automaticStrategies) {
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
  const free = item.turn + settings.turnProtection + 1
  return guarded.turn < free ? { kind: 'later', turn: free } : allow
}

/** Nobody protects a file in most sessions, and to look for all that is named takes longer. */
function namedIn(operation: Operation, { protectedFilePatterns }: Settings): readonly string[] {
  return protectedFilePatterns.length === 0 ? operation.effects.named : protectedPathsOf(operation)
}

/**
 * Nothing is taken away by how an item is first shown: a pointer to what still stands, or a large output cut where it
 * comes in. Turn protection is about what was sent.
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
  const isRecent = operation.turn + Math.max(1, settings.turnProtection) >= turn
  return operation.status === 'error' && isRecent ? veto('an error of a protected turn') : null
}

const finalForms: ReadonlySet<How> = new Set(['superseded', 'discarded', 'distilled'])

/** What was replaced stays replaced; a shortened item may still be replaced, and a view renewed. */
function judgeStanding({ proposal, standing }: GuardedProposal): Verdict | null {
  if (standing === undefined) return null
  const { how, text } = proposal.rendition
  if (standing.rendition.how === how && standing.rendition.text === text)
    return veto('decided already')
  return finalForms.has(standing.rendition.how) && how !== 'view' ? veto('decided already') : null
}

/** A rendition is measured against what the tool gave: it leaves the agent's reminders out too. */
function withoutReminders(proposal: Proposal, operation: Operation | undefined): Proposal {
  const { item } = proposal
  if (item.kind !== 'result' || operation === undefined) return proposal
  const text = outputOf(operation)
  if (text === item.text) return proposal
  return { ...proposal, item: { ...item, text, tokens: estimateTokens(text) } }
}

function judgeLength(proposal: Proposal): Verdict | null {
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

/** Among texts that are not longer than this, handles and signs may weigh more than the characters that they save. */
const shortChars = 1000

/** Any handle counts as this one, of many tokens: what may be shown does not hang on which digits an item has got. */
const dearHandle = 'a1b2c3'

/** Never larger, in characters and, where fewer characters may be more tokens, in tokens. */
function isNoShorter(text: string, { item, by }: Proposal): boolean {
  const { length } = item.text
  if (text.length >= length) return true
  if (length > shortChars || text.length * 2 <= length) return false
  const own = text.replaceAll(item.handle, dearHandle)
  return estimateTokens(by === null ? own : own.replaceAll(by.handle, dearHandle)) > item.tokens
}
