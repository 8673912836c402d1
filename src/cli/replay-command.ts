import { Command } from 'commander'
import { presetNames } from '../config/config.ts'
import { PalimpsestError } from '../core/errors.ts'
import { findRegime, type Regime, regimes } from '../core/schedule/regimes.ts'
import { schedules } from '../core/settings.ts'
import { engineFor } from '../replay/engine-for.ts'
import { summarise } from '../replay/summary.ts'
import { traceLines } from '../replay/trace.ts'
import { chosenConfig } from './chosen-config.ts'
import { openRecording } from './recording-files.ts'
import { replayLines } from './replay-lines.ts'
import { reportProblems } from './report-problems.ts'
import { summaryLines } from './summary-lines.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ReplayOptions {
  readonly trace?: true
  readonly json?: true
  readonly preset?: string
  readonly schedule?: string
  readonly regime: string
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
    .option('--schedule <name>', `when decisions are applied: ${schedules.join(', ')}`)
    .option(
      '--regime <name>',
      `prices and cache: ${regimes.map(({ name }) => name).join(', ')}`,
      'anthropic-5m',
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest replay session.jsonl                      what happened, turn by turn
  palimpsest replay session.jsonl --json               tokens and dollars
  palimpsest replay session.jsonl --trace > trace.jsonl
  palimpsest replay session.jsonl --json --preset acp  another way of keeping the context
  palimpsest replay session.jsonl --json --regime openai`,
    )
    .action(async (file: string, options: ReplayOptions) => {
      const regime = chosenRegime(options.regime)
      const config = chosenConfig(terminal, options)
      const { recordings, problems } = await openRecording(file)
      reportProblems(terminal, file, problems)
      const onFault = (fault: unknown): void => {
        terminal.err.write(
          `palimpsest: a fault of ours left a request unchanged: ${String(fault)}\n`,
        )
      }
      if (options.trace) {
        for (const recording of recordings) {
          const engine = engineFor(recording, { config, onFault })
          const policy = config.preset ?? 'balanced'
          const lines = traceLines(recording, { file, policy, regime: regime.name, engine })
          await writeLines(terminal.out, lines)
        }
        return
      }
      const summary = summarise(recordings, {
        regime,
        engineFor: (recording) => engineFor(recording, { config, onFault }),
      })
      if (options.json) {
        await writeLines(terminal.out, [JSON.stringify(summary)])
        return
      }
      const mappings = config.toolMappings
      for (const recording of recordings) {
        await writeLines(terminal.out, replayLines(recording, { terminal, mappings }))
      }
      await writeLines(terminal.out, [
        '',
        ...summaryLines(summary, config.preset ?? 'balanced', regime),
      ])
    })
}

function chosenRegime(name: string): Regime {
  const regime = findRegime(name)
  if (regime !== undefined) return regime
  const known = regimes.map((each) => each.name).join(', ')
  throw new PalimpsestError('usage', `--regime ${name} is not known; take one of: ${known}`)
}
