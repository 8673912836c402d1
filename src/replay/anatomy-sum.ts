import type { RecordingCounts } from '../recordings/anatomy-counts.ts'
import type { Anatomy, Tally } from './anatomy.ts'

/** Adds up several sessions of one file. Maxima stay maxima. */
export function addAnatomies(sessions: readonly Anatomy[]): Anatomy {
  const [first, ...others] = sessions
  if (first === undefined) throw new RangeError('a readable recording has at least one session')
  return others.reduce(addTwo, first)
}

function addTwo(a: Anatomy, b: Anatomy): Anatomy {
  const byTool = new Map(Object.entries(a.tokens.byTool))
  for (const [tool, size] of Object.entries(b.tokens.byTool)) {
    const other = byTool.get(tool) ?? { calls: 0, inputTokens: 0, outputTokens: 0 }
    byTool.set(tool, {
      calls: other.calls + size.calls,
      inputTokens: other.inputTokens + size.inputTokens,
      outputTokens: other.outputTokens + size.outputTokens,
    })
  }
  const kinds = Object.keys(a.tokens.byKind) as (keyof Anatomy['tokens']['byKind'])[]
  const byKind = { ...a.tokens.byKind }
  for (const kind of kinds) byKind[kind] += b.tokens.byKind[kind]
  return {
    ...addCounts(a, b),
    session: a.session,
    model: a.model,
    subagentRecords: a.subagentRecords + b.subagentRecords,
    tokens: {
      total: a.tokens.total + b.tokens.total,
      byKind,
      byTool: Object.fromEntries(byTool),
      sent: a.tokens.sent + b.tokens.sent,
      peak: Math.max(a.tokens.peak, b.tokens.peak),
    },
    rereads: addTallies(a.rereads, b.rereads),
    readsLaterEdited: addTallies(a.readsLaterEdited, b.readsLaterEdited),
    repeatedCalls: addTallies(a.repeatedCalls, b.repeatedCalls),
    idle: {
      over5m: a.idle.over5m + b.idle.over5m,
      over1h: a.idle.over1h + b.idle.over1h,
      longestMs: Math.max(a.idle.longestMs, b.idle.longestMs),
    },
  }
}

function addCounts(a: RecordingCounts, b: RecordingCounts): RecordingCounts {
  return {
    messages: a.messages + b.messages,
    calls: a.calls + b.calls,
    reads: a.reads + b.reads,
    writes: a.writes + b.writes,
    edits: a.edits + b.edits,
    shell: a.shell + b.shell,
    search: a.search + b.search,
    other: a.other + b.other,
    errors: a.errors + b.errors,
    missing: a.missing + b.missing,
    compactions: a.compactions + b.compactions,
    nativePruned: a.nativePruned + b.nativePruned,
    attachments: a.attachments + b.attachments,
    requests: a.requests + b.requests,
  }
}

function addTallies(a: Tally, b: Tally): Tally {
  return { count: a.count + b.count, tokens: a.tokens + b.tokens }
}
