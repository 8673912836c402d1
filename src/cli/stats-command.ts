import { Command } from 'commander'
import { countRecording } from '../recordings/anatomy-counts.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import { sessionDecisions } from '../replay/session-decisions.ts'
import { ownCutsLine } from '../report/agent-cut-lines.ts'
import { addRestores, restoreLines } from '../report/restore-lines.ts'
import { strategyStats } from '../report/stats.ts'
import { effectivenessTable } from '../report/stats-table.ts'
import { countPruned, statusLine } from '../report/status-line.ts'
import { alreadyPrunedLines, prunedSessions, prunedStoreOption } from './already-pruned.ts'
import { chosenConfig, configOption, presetOption } from './chosen-config.ts'
import { openTarget, targetArgument } from './recording-target.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface StatsOptions {
  readonly preset?: string
  readonly config?: string
  readonly log?: true
  readonly store?: string
  readonly json?: true
}

export function statsCommand(terminal: Terminal): Command {
  return targetArgument(new Command('stats'))
    .description('show what each strategy would have saved in a recorded session')
    .option(...presetOption)
    .option(...configOption)
    .option(...prunedStoreOption)
    .option('--log', 'print each decision as a log line before the table')
    .option(
      '--json',
      'print one JSON value: {preset, strategyStats, pruned, restores, agentCuts, statusLine}',
    )
    .addHelpText(
      'after',
      `
Each item counts once, under the strategy of its last decision; tokens are what one request saves.
The status line counts only decisions that requests have applied.

Examples:
  palimpsest stats session.jsonl
  palimpsest stats session.jsonl --preset acp --log
  palimpsest stats session.jsonl --json`,
    )
    .action((file: string, options: StatsOptions) => stats(terminal, file, options))
}

async function stats(terminal: Terminal, file: string, options: StatsOptions): Promise<void> {
  const config = chosenConfig(terminal, options)
  const { recordings, problems } = await openTarget(terminal, file, options)
  reportProblems(terminal, file, problems)
  const already = await prunedSessions(terminal, recordings, options.store)
  const sessions = recordings.map((recording) =>
    sessionDecisions(recording, sessionFor(recording, { config }), already.ranWith(recording)),
  )
  const items = sessions.flatMap((session) => session.items)
  const log = options.log ? sessions.flatMap((session) => session.log) : []
  const byStrategy = strategyStats(items)
  const pruned = countPruned(items.filter(({ isApplied }) => isApplied))
  const restores = addRestores(sessions.flatMap((session) => session.restores))
  const status = statusLine(pruned)
  const counts = recordings.map((recording) => countRecording(recording))
  const agentCuts = {
    results: counts.reduce((sum, { nativePruned }) => sum + nativePruned, 0),
    compactions: counts.reduce((sum, { compactions }) => sum + compactions, 0),
  }
  if (options.json) {
    const value = {
      preset: config.preset ?? 'balanced',
      strategyStats: byStrategy,
      pruned,
      restores,
      agentCuts,
      statusLine: status,
      ...(options.log ? { log } : {}),
      ...(already.all.length === 0 ? {} : { alreadyPruned: already.all }),
    }
    await writeJson(terminal, value)
    return
  }
  const lines = [
    ...log,
    ...(log.length === 0 ? [] : ['']),
    ...alreadyPrunedLines(already.all).flatMap((line) => wrapped(line, terminal.columns)),
    ...effectivenessTable(byStrategy),
    ...(restores.length === 0 ? [] : ['', ...restoreLines(restores)]),
    ...(agentCuts.results + agentCuts.compactions === 0 ? [] : ['', ownCutsLine(agentCuts)]),
  ]
  await writeLines(terminal.out, status === null ? lines : [...lines, '', status])
}
