import type { Config } from '../../src/config/config.ts'
import type { LimitName } from '../score/limits.ts'
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

/** A limit as somebody else may have understood it. */
export interface LimitReading {
  readonly limit: LimitName
  readonly reading: string
  /** Items of at most so many tokens stay. */
  readonly leaves?: number
}

export const limitReadings: readonly LimitReading[] = [
  {
    limit: 'Belady, drop at once',
    reading: 'items of up to 25 tokens stay; clearings undone',
    leaves: 25,
  },
  { limit: 'removal only on a cold cache', reading: 'clearings undone' },
]

/** Every difference of more than two points. */
export const differences: readonly Difference[] = [
  {
    policies: [
      'none',
      'clear-tool-uses',
      'clear-tool-uses-min20k',
      'opencode-prune',
      'gemini-mask',
      'keep-last-10-poll20',
      'tail-cap-1',
      'tail-cap-8',
    ],
    reason:
      'Two recorded Claude Code sessions cleared old results themselves. We show those as cleared from then on, as the format of the replay trace asks; the outside measurement shows them in full, so that more is sent without any policy, more of it is needed later, and triggers are passed earlier.',
    verdict:
      'Ours follows the recording. With those clearings undone, nothing differs (see below).',
  },
  {
    policies: ['random-matched'],
    reason:
      'What is cleared is drawn at random, by each measurement with numbers of its own: with another draw, other sessions cost more.',
    verdict:
      'Neither is wrong. With the clearings undone only the share of sessions that cost more differs (see below).',
  },
  {
    policies: ['Belady, drop at once', 'removal only on a cold cache'],
    reason:
      'The same clearings; and an item that nobody needs goes in ours as soon as what stands for it is shorter (5 tokens), while the outside measurement seems to leave small ones, which saves it changes of the history.',
    verdict:
      'Neither is wrong: ours sends fewer tokens, theirs changes the history less often, which costs less where writing is dear. With items of up to 25 tokens left, nothing differs (see below).',
  },
  {
    policies: ['langchain-clear'],
    reason:
      'The trigger of ClearToolUsesEdit is compared with the messages alone under its default, approximate counter. The outside measurement counts system prompt and tools too, and triggers earlier.',
    verdict: 'Ours follows the source. Read the other way, nothing differs (see below).',
  },
  {
    policies: ['keep-last-10'],
    reason:
      'SWE-agent replaces every old observation, those too that are shorter than the words that replace them. The outside measurement leaves these, and so changes the history at fewer requests.',
    verdict: 'Ours follows the source. Read the other way, nothing differs (see below).',
  },
  {
    policies: ['acp-documented'],
    reason:
      'All ten strategies of its documentation run, among them the cutting of long code blocks in user messages, of old errors and of the inputs of superseded calls. The first changes what the user wrote, which counts as a fault. The outside measurement has the superseding alone. Whatever ours hides carries a handle, so that what is gone there is recoverable here.',
    verdict:
      'Ours follows the document. The outside figures lie between two readings (see below): with the inputs of superseded calls stripped, and with all of them left. Which of them that one strips is not known to us.',
  },
  {
    policies: ['smart-tool-history'],
    reason:
      'A read stands for its file, whichever lines it shows and whether a tool or a shell command made it; listings are kept only while they are recent, and edits that lie far back become lists of their intents, as the proposal says. Each changes what was sent, at more requests than the outside measurement has. Which reads that one takes as the same file is not known to us.',
    verdict:
      'Ours follows the document. With listings and edits left alone most prices agree (see below); the rest is which reads count as the same file.',
  },
]

export function differenceTable(): Table {
  return [
    ['policies', 'why another measurement differs', 'which follows the source'],
    ...differences.map(({ policies, reason, verdict }) => [policies.join(', '), reason, verdict]),
  ]
}

/** A policy as somebody else may have read its source, or a session as somebody else may have read its recording. */
export interface OtherReading {
  /** The policy of the tables that it stands beside. */
  readonly policy: string
  /** The different interpretation. */
  readonly reading: string
  /** The policy so read; without it, the one of the tables. */
  readonly carriedOut?: Policy
  /** Or what the configuration of the preset that carries it out says otherwise. */
  readonly config?: Pick<Config, 'strategies' | 'compressEdits' | 'recentOnly'>
  /** What the recorded agent itself cleared is shown in full. */
  readonly clearingsUndone?: true
}

const clearingsUndone = (policy: string): OtherReading => ({
  policy,
  reading: 'what the recorded agent cleared itself is shown in full',
  clearingsUndone: true,
})

const acpWith = (
  reading: string,
  aggressivePruning: { readonly pruneToolInputs?: false },
): OtherReading => ({
  policy: 'acp-documented',
  reading: `${reading}; clearings undone`,
  clearingsUndone: true,
  config: {
    strategies: {
      aggressivePruning: {
        pruneUserCodeBlocks: false,
        truncateOldErrors: false,
        ...aggressivePruning,
      },
    },
  },
})

/** The other interpretations, to measure the difference. */
export const otherReadings: readonly OtherReading[] = [
  clearingsUndone('none'),
  clearingsUndone('clear-tool-uses'),
  clearingsUndone('opencode-prune'),
  clearingsUndone('gemini-mask'),
  clearingsUndone('keep-last-10-poll20'),
  clearingsUndone('tail-cap-1'),
  clearingsUndone('tail-cap-8'),
  clearingsUndone('random-matched'),
  {
    policy: 'keep-last-10',
    reading: 'what an elision would make longer stays; clearings undone',
    clearingsUndone: true,
    carriedOut: keepLastObservations({
      name: 'keep-last-10-never-longer',
      keep: 10,
      polling: 1,
      neverLonger: true,
    }),
  },
  {
    policy: 'langchain-clear',
    reading: 'the trigger counts system prompt and tools; clearings undone',
    clearingsUndone: true,
    carriedOut: langChainClearWith({
      name: 'langchain-clear-prefix',
      triggerTokens: 100_000,
      keep: 3,
      clearAtLeastTokens: 0,
      excludeTools: [],
      prefixTokens,
    }),
  },
  acpWith('neither code blocks of the user nor old errors are cut', {}),
  acpWith('the same, and inputs of superseded calls stay', { pruneToolInputs: false }),
  {
    policy: 'smart-tool-history',
    reading: 'old listings stay, and runs of edits stay as they are; clearings undone',
    clearingsUndone: true,
    config: { compressEdits: false, recentOnly: false },
  },
]
