import type { Reason, RenditionProposal } from '../words/decision.ts'
import type { Settings } from '../words/settings.ts'

/** What the guard knows about restoring originals in this session. */
export interface WayBack {
  /** False when the agent has neither the tool nor a shell to restore an original with. */
  readonly exists: boolean
  /** True when the agent restores this kind of rendition so often that it is not used again. */
  isOverused(proposal: RenditionProposal): boolean
  /** True when restores have cost more than the session saved, and this is a fold or a kind that was restored before. */
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

/** Whether a proposal hides something although nothing newer has replaced it. */
export function isFold({ by, reason }: Pick<RenditionProposal, 'by' | 'reason'>): boolean {
  return by === null && foldReasons.has(reason)
}

/** Presets that imitate another tool, whose documented behaviour they keep. */
const sourcePresets: ReadonlySet<string> = new Set(['acp', 'dcp', 'history'])

/** Why the agent may not be left without this item; null when nothing speaks against it. */
export function whyNoFold(
  proposal: RenditionProposal,
  wayBack: WayBack | undefined,
  { preset }: Settings,
): string | null {
  if (wayBack === undefined || sourcePresets.has(preset)) return null
  if (proposal.reason === 'agent' || proposal.reason === 'user') return null
  if (wayBack.isSpent(proposal)) return 'restores have cost more than the session saved'
  if (!isFold(proposal)) return null
  if (!wayBack.exists) return 'no way back, and nothing newer has replaced it'
  return wayBack.isOverused(proposal) ? 'this kind of rendition is restored too often' : null
}
