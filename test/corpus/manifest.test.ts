import { createReadStream } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { countRecording, type RecordingCounts, readRecording } from '../../src/recordings/index.ts'
import { alreadyPruned } from '../../src/replay/already-pruned.ts'
import { corpusFolder, describeCorpus, manifestRows } from './corpus.ts'

/** The manifest's columns that a recording must give, each with the count that it is compared to. */
const columns: readonly (readonly [string, keyof RecordingCounts])[] = [
  ['messages', 'messages'],
  ['tool_calls', 'calls'],
  ['reads', 'reads'],
  ['writes', 'writes'],
  ['edits', 'edits'],
  ['bash', 'shell'],
  ['errors', 'errors'],
  ['missing_results', 'missing'],
  ['compactions', 'compactions'],
  ['native_pruned', 'nativePruned'],
]

/**
 * Where the manifest is wrong, our count. It knows no errors in formats that do not mark them; an action that the agent
 * refused in words changed nothing, and is one. See docs/recordings.md.
 */
const refusedActions: Readonly<Record<string, number>> = {
  'codex/agentv-019f03e0-321f-7eb2-83cc-b54ecd71be23.jsonl': 1,
  'mini-swe-agent/mini-gemini3pro-django__django-11138.traj.json': 15,
  'mini-swe-agent/mini-gemini3pro-sphinx-doc__sphinx-9229.traj.json': 10,
  'mini-swe-agent/mini-gemini3pro-sphinx-doc__sphinx-9258.traj.json': 10,
  'mini-swe-agent/mini-gemini3pro-sympy__sympy-13091.traj.json': 5,
  'mini-swe-agent/mini-gemini3pro-sympy__sympy-14248.traj.json': 3,
  'mini-swe-agent/mini-gemini3pro-sympy__sympy-19040.traj.json': 10,
  'swe-agent/swea-demonstrations-replay__marshmallow-code__marshmallow-1867__function_calling__install-1-marshmallow-code__.traj': 1,
}

describeCorpus('recordings of agents that ran alone', () => {
  it('are not taken for sessions that were pruned while they ran', async () => {
    const taken: string[] = []
    for (const { path: file = '' } of manifestRows()) {
      const { recordings } = await readRecording(createReadStream(path.join(corpusFolder, file)))
      if (recordings.some((each) => alreadyPruned(each) !== null)) taken.push(file)
    }
    expect(taken).toEqual([])
  })
})

describeCorpus('counts of recordings equal the manifest', () => {
  it.each(manifestRows().map((row) => [row.path!, row] as const))('%s', async (file, row) => {
    const { format, recordings } = await readRecording(
      createReadStream(path.join(corpusFolder, file)),
    )
    const counts = recordings.map((recording) => countRecording(recording))
    const ours = Object.fromEntries(
      columns.map(([column, count]) => [
        column,
        counts.reduce((sum, recording) => sum + recording[count], 0),
      ]),
    )
    // The manifest also counts a session that is a sub-agent's own.
    const subagents = recordings.reduce(
      (sum, { subagentRecords, parent }) => sum + subagentRecords + (parent === null ? 0 : 1),
      0,
    )
    const theirs = Object.fromEntries(columns.map(([column]) => [column, Number(row[column])]))
    expect({ format, subagent_records: subagents, ...ours }).toEqual({
      format: row.format,
      subagent_records: Number(row.subagent_records),
      ...theirs,
      errors: refusedActions[file] ?? theirs.errors,
    })
  })
})
