import { Command } from 'commander'
import { loadConfig } from '../config/load.ts'
import { PalimpsestError } from '../core/errors.ts'
import { findRegime, type Regime, regimes } from '../core/schedule/regimes.ts'
import { summarise } from '../replay/summary.ts'
import { traceLines } from '../replay/trace.ts'
import { openRecording } from './recording-files.ts'
import { replayLines } from './replay-lines.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ReplayOptions {
  readonly trace?: true
  readonly json?: true
  readonly preset: string
  readonly regime: string
}

const presets = ['off']

export function replayCommand(terminal: Terminal): Command {
  return new Command('replay')
    .description('replay a recorded session request by request, and show what the model saw')
    .argument(
      '<file>',
      'a recording of Claude Code, Codex, OpenCode, Pi, Copilot CLI, Gemini CLI or (mini-)SWE-agent',
    )
    .option('--trace', 'print the replay trace, one JSON object a line')
    .option('--json', 'print the summary as one JSON value')
    .option('--preset <name>', `how the context is kept: ${presets.join(', ')}`, 'off')
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
  palimpsest replay session.jsonl --json --regime openai`,
    )
    .action(async (file: string, options: ReplayOptions) => {
      const regime = chosenRegime(options.regime)
      if (!presets.includes(options.preset)) {
        throw new PalimpsestError(
          'usage',
          `--preset ${options.preset} is not known; take one of: ${presets.join(', ')}`,
        )
      }
      const { recordings, problems } = await openRecording(file)
      reportProblems(terminal, file, problems)
      if (options.trace) {
        for (const recording of recordings) {
          await writeLines(
            terminal.out,
            traceLines(recording, { file, policy: 'off', regime: regime.name }),
          )
        }
        return
      }
      if (options.json) {
        await writeLines(terminal.out, [JSON.stringify(summarise(recordings, regime))])
        return
      }
      const { tools: mappings } = loadConfig(terminal)
      for (const recording of recordings) {
        await writeLines(terminal.out, replayLines(recording, { regime, terminal, mappings }))
      }
    })
}

function chosenRegime(name: string): Regime {
  const regime = findRegime(name)
  if (regime !== undefined) return regime
  const known = regimes.map((each) => each.name).join(', ')
  throw new PalimpsestError('usage', `--regime ${name} is not known; take one of: ${known}`)
}
