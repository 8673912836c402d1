/** What `context_prune` can do. */
export const pruneActions = ['discard', 'distill', 'replace'] as const

export type PruneAction = (typeof pruneActions)[number]
