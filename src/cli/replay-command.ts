import { Command } from 'commander'
import { type Config, presetNames } from '../config/config.ts'
import { findRegime, type NamedRegime, regimeNames } from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { schedules } from '../core/words/settings.ts'
import type { Recording } from '../recordings/recording.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import { reportReplay, summarise } from '../replay/summary.ts'
import { traceLines } from '../replay/trace.ts'
import { alreadyPrunedLines, prunedSessions, prunedStoreOption } from './already-pruned.ts'
import { chosenConfig, configOption } from './chosen-config.ts'
import { openRecording } from './recording-files.ts'
import { replayLines } from './replay-lines.ts'
import { reportProblems } from './report-problems.ts'
import { summaryLines } from './summary-lines.ts'
import { type Terminal, writeLines, writeNotice } from './terminal.ts'

interface ReplayOptions {
  readonly trace?: true
  readonly json?: true
  readonly preset?: string
  readonly config?: string
  readonly schedule?: string
  readonly regime?: string
  readonly store?: string
}

export function replayCommand(terminal: Terminal): Command {
  return new Command('replay')
    .description('replay a recorded session request by request, and show what the model saw')
    .argument(
      '<file>',
      'a recording of Claude Code, Codex, OpenCode, Pi, Copilot CLI, Gemini CLI or (mini-)SWE-agent',
    )
    .option('--trace', 'print the replay trace, one JSON object a line')
    .option('--json', 'print the summary as one JSON value')
    .option('--preset <name>', `how the context is kept: ${presetNames.join(', ')}`)
    .option(...configOption)
    .option('--schedule <name>', `when decisions are applied: ${schedules.join(', ')}`)
    .option(
      '--regime <name>',
      `prices and cache: ${regimeNames.join(', ')} (default: the configuration's; otherwise decisions use the recorded model's prices, and dollars use the first)`,
    )
    .option(...prunedStoreOption)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest replay session.jsonl                      what happened, turn by turn
  palimpsest replay session.jsonl --json               tokens and dollars
  palimpsest replay session.jsonl --trace > trace.jsonl
  palimpsest replay session.jsonl --json --preset acp  use another preset
  palimpsest replay session.jsonl --json --regime openai`,
    )
    .action(async (file: string, options: ReplayOptions) => {
      const found = chosenConfig(terminal, options)
      const named = namedRegime(options.regime, found)
      const config = { ...found, regime: named?.name }
      const regime = named ?? (findRegime('anthropic-5m') as NamedRegime)
      const { recordings, problems } = await openRecording(file)
      reportProblems(terminal, file, problems)
      const onFault = (fault: unknown): void => {
        writeNotice(
          terminal,
          `palimpsest: an internal error left a request unchanged: ${String(fault)}`,
        )
      }
      if (options.trace) {
        for (const recording of recordings) {
          const session = sessionFor(recording, { config, onFault })
          const policy = config.preset ?? 'balanced'
          const lines = traceLines(recording, { file, policy, regime: regime.name, session })
          await writeLines(terminal.out, lines)
        }
        return
      }
      const pruned = await prunedSessions(terminal, recordings, options.store)
      const priced = {
        regime,
        models: config.models,
        sessionFor: (recording: Recording) => sessionFor(recording, { config, onFault }),
        ranWith: pruned.ranWith,
      }
      if (options.json) {
        const summary = summarise(recordings, priced)
        const { all } = pruned
        const value = all.length === 0 ? summary : { ...summary, alreadyPruned: all }
        await writeLines(terminal.out, [JSON.stringify(value)])
        return
      }
      const mappings = config.toolMappings
      for (const recording of recordings) {
        await writeLines(terminal.out, replayLines(recording, { terminal, mappings }))
      }
      const report = reportReplay(recordings, priced)
      await writeLines(terminal.out, [
        '',
        ...alreadyPrunedLines(pruned.all),
        ...summaryLines(report, config.preset ?? 'balanced', regime),
      ])
    })
}

/** The regime that the user chose. Without one, the engine uses the model's own prices, as the gateway does. */
function namedRegime(option: string | undefined, config: Config): NamedRegime | undefined {
  const name = option ?? config.regime
  if (name === undefined) return undefined
  const regime = findRegime(name)
  if (regime !== undefined) return regime
  const known = regimeNames.join(', ')
  throw new PalimpsestError('usage', `--regime ${name} is not known; use one of: ${known}`)
}
