import type { Reason } from '../../src/core/words/decision.ts'

/** A document's claim about the savings of one or all of its strategies. */
export interface Claim {
  readonly source: 'ACP' | 'Smart Tool History'
  /** The configuration key, or what the document calls it. */
  readonly strategy: string
  /** In the document's own words. */
  readonly claim: string
  /** The baseline that implements it. */
  readonly baseline: 'acp-documented' | 'smart-tool-history' | 'keep-recent-30'
  /** The reasons under which our decisions of that strategy stand; null for all of them. */
  readonly reasons: readonly Reason[] | null
}

const acp = (strategy: string, claim: string, ...reasons: readonly Reason[]): Claim => ({
  source: 'ACP',
  strategy,
  claim,
  baseline: 'acp-documented',
  reasons: reasons.length === 0 ? null : reasons,
})

/** The claims of the two documents, in order. An item that several strategies would hide counts for the first. */
export const claims: readonly Claim[] = [
  acp('the same call again, which comes first', 'not given', 'hash'),
  acp('pruneToolInputs', '~20%', 'input'),
  acp('pruneStepMarkers', '~3%', 'marker'),
  acp('pruneSourceUrls', '~2%', 'url'),
  acp('stateQuerySupersede', '~3%', 'query'),
  acp('pruneSnapshots', 'variable', 'snapshot'),
  acp('pruneRetryParts', '~2%', 'retry'),
  acp('pruneFiles', 'variable', 'attachment'),
  acp('pruneUserCodeBlocks', '~5%', 'code-block'),
  acp('truncateOldErrors', '~2%', 'error'),
  acp('aggressiveFilePrune', '~10%', 'file'),
  acp('auto-supersede: duplicates', '~20%', 'hash', 'file', 'todo', 'url', 'query', 'search'),
  acp('all ten strategies', '~50%'),
  {
    source: 'Smart Tool History',
    strategy: 'smart_tool_retention',
    claim: '~50%',
    baseline: 'smart-tool-history',
    reasons: null,
  },
  {
    source: 'Smart Tool History',
    strategy: 'keep_recent_tool_results(30), which it replaces',
    claim: '86%',
    baseline: 'keep-recent-30',
    reasons: null,
  },
]
