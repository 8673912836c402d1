import type { Reason, RenditionProposal } from '../words/decision.ts'
import type { Settings } from '../words/settings.ts'

/** How the agent can restore originals, and how often it did. It limits what may be left out. */
export interface RestoreLimits {
  /** False when the agent has neither the tool nor a shell to restore an original with. */
  readonly canRestore: boolean
  /** True when the agent restores this kind of rendition so often that it is not used again. */
  isOverused(proposal: RenditionProposal): boolean
  /** True when restores have cost more than the session saved, and this is a fold or a kind that is restored often. */
  isSpent(proposal: RenditionProposal): boolean
}

/** Reasons to shorten or remove something although nothing newer has replaced it. */
const foldReasons: ReadonlySet<Reason> = new Set([
  'error',
  'output',
  'reasoning',
  'attachment',
  'code-block',
  'injected',
  'edits',
  'pressure',
])

/** True for a proposal that hides something although nothing newer has replaced it. */
export function isFold({ by, reason }: Pick<RenditionProposal, 'by' | 'reason'>): boolean {
  return by === null && foldReasons.has(reason)
}

/** Presets that imitate another tool, whose documented behaviour they keep. */
const sourcePresets: ReadonlySet<string> = new Set(['acp', 'dcp', 'history'])

/** Why the restore limits forbid a proposal; null when they allow it. */
export function whyNotFold(
  proposal: RenditionProposal,
  restoreLimits: RestoreLimits | undefined,
  { preset }: Settings,
): string | null {
  if (restoreLimits === undefined || sourcePresets.has(preset)) return null
  if (proposal.reason === 'agent' || proposal.reason === 'user') return null
  if (restoreLimits.isSpent(proposal)) return 'restores have cost more than the session saved'
  if (!isFold(proposal)) return null
  if (!restoreLimits.canRestore)
    return 'the agent cannot restore it, and nothing newer has replaced it'
  return restoreLimits.isOverused(proposal) ? 'this kind of rendition is restored too often' : null
}
