import type { Policy } from '../score/policy.ts'
import { prefixTokens } from '../score/session.ts'
import type { Table } from '../score/tables.ts'
import { keepLastObservations } from './keep-last-observations.ts'
import { langChainClearWith } from './langchain-clear.ts'

/** Why an outside measurement of the same policies on the same sessions gives other figures. */
export interface Difference {
  readonly policies: readonly string[]
  readonly reason: string
  /** Which of the two follows the source, and what shows it. */
  readonly verdict: string
}

/** All that moves a figure by more than two points. */
export const differences: readonly Difference[] = [
  {
    policies: [
      'none',
      'clear-tool-uses',
      'clear-tool-uses-min20k',
      'opencode-prune',
      'gemini-mask',
    ],
    reason:
      'Two recorded Claude Code sessions cleared old results themselves. We show those as cleared from then on, as the format of the replay trace asks; the outside measurement shows them in full, so that more is sent without any policy and triggers are passed earlier.',
    verdict:
      'Ours follows the recording. With those clearings undone, tokens sent and busts of all five are the same in both.',
  },
  {
    policies: ['langchain-clear'],
    reason:
      'The trigger of ClearToolUsesEdit is compared with the messages alone under its default, approximate counter. The outside measurement counts system prompt and tools too, and triggers earlier.',
    verdict: 'Ours follows the source. The row langchain-clear-prefix is the other reading.',
  },
  {
    policies: ['keep-last-10'],
    reason:
      'SWE-agent replaces every old observation, those too that are shorter than the words that replace them. The outside measurement leaves these, and so changes the history at fewer requests.',
    verdict: 'Ours follows the source. The row keep-last-10-never-longer is the other reading.',
  },
  {
    policies: ['acp-documented'],
    reason:
      'All ten strategies of its documentation run, among them the cutting of long code blocks in user messages, of old errors and of the inputs of superseded calls. The first changes what the user wrote, which counts as a fault. The outside measurement has the superseding alone. Whatever ours hides carries a handle, so that what is gone there is recoverable here.',
    verdict:
      'Ours follows the document. Without code blocks and errors, pooled tokens and busts agree, and no request is invalid.',
  },
  {
    policies: ['smart-tool-history'],
    reason:
      'A read stands for its file, whichever lines it shows and whether a tool or a shell command made it; listings are kept only while they are recent, and edits that lie far back become lists of their intents, as the proposal says. Each changes what was sent, at more requests than the outside measurement has. Which reads that one takes as the same file is not known to us.',
    verdict: 'Ours follows the document. Tokens and evidence agree; busts and dollars do not.',
  },
]

export function differenceTable(): Table {
  return [
    ['policies', 'why another measurement differs', 'which follows the source'],
    ...differences.map(({ policies, reason, verdict }) => [policies.join(', '), reason, verdict]),
  ]
}

/** The other readings of a source, so that the difference can be measured. */
export const otherReadings: readonly Policy[] = [
  keepLastObservations({
    name: 'keep-last-10-never-longer',
    keep: 10,
    polling: 1,
    neverLonger: true,
  }),
  langChainClearWith({
    name: 'langchain-clear-prefix',
    triggerTokens: 100_000,
    keep: 3,
    clearAtLeastTokens: 0,
    excludeTools: [],
    prefixTokens,
  }),
]
