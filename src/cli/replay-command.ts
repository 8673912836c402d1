import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import {
  findRegime,
  type NamedRegime,
  type Regime,
  regimeFor,
  regimeNames,
} from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { schedules } from '../core/words/settings.ts'
import type { Recording } from '../recordings/recording.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import { reportReplay, summarise } from '../replay/summary.ts'
import { traceLines } from '../replay/trace.ts'
import type { Session } from '../session/session.ts'
import { alreadyPrunedLines, prunedSessions, prunedStoreOption } from './already-pruned.ts'
import { chosenConfig, configOption, presetOption } from './chosen-config.ts'
import { openTarget, targetArgument } from './recording-target.ts'
import { replayLines } from './replay-lines.ts'
import { reportProblems } from './report-problems.ts'
import { summaryLines } from './summary-lines.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface ReplayOptions {
  readonly trace?: true
  readonly epochs?: true
  readonly json?: true
  readonly preset?: string
  readonly config?: string
  readonly schedule?: string
  readonly regime?: string
  readonly store?: string
}

export function replayCommand(terminal: Terminal): Command {
  return targetArgument(new Command('replay'))
    .description('replay a recorded session request by request, and show what the model saw')
    .option('--trace', 'print the replay trace, one JSON object a line')
    .option('--epochs', 'list every request that changed what had been sent, with its cost')
    .option('--json', 'print the summary as one JSON value')
    .option(...presetOption)
    .option(...configOption)
    .option('--schedule <name>', `when decisions are applied: ${schedules.join(', ')}`)
    .option(
      '--regime <name>',
      `prices and cache: ${regimeNames.join(', ')} (default: the configuration's, or else the prices of the recorded model)`,
    )
    .option(...prunedStoreOption)
    .addHelpText(
      'after',
      `
Reads recordings of Claude Code, Codex, OpenCode, Pi, Copilot CLI, Gemini CLI and (mini-)SWE-agent.

Examples:
  palimpsest replay session.jsonl                      the verdict, turn by turn
  palimpsest replay 4f1c --epochs                      a session of the store
  palimpsest replay session.jsonl --json               tokens and dollars
  palimpsest replay session.jsonl --trace > trace.jsonl
  palimpsest replay session.jsonl --json --preset acp  use another preset
  palimpsest replay session.jsonl --json --regime openai`,
    )
    .action((file: string, options: ReplayOptions) => replay(terminal, file, options))
}

async function replay(terminal: Terminal, file: string, options: ReplayOptions): Promise<void> {
  const found = chosenConfig(terminal, options)
  const named = namedRegime(options.regime, found)
  const config = { ...found, regime: named?.name }
  const { recordings, problems } = await openTarget(terminal, file, options)
  const regime = named ?? ownRegime(recordings, config)
  reportProblems(terminal, file, problems)
  const sessionOf = (recording: Recording): Session =>
    sessionFor(recording, {
      config,
      onFault: (fault) =>
        writeNotice(
          terminal,
          `palimpsest: an internal error left a request unchanged: ${String(fault)}`,
        ),
    })
  const policy = config.preset ?? 'balanced'
  if (options.trace) {
    for (const recording of recordings) {
      const about = { file, policy, regime: named?.name ?? 'anthropic-5m' }
      const session = sessionOf(recording)
      await writeLines(terminal.out, traceLines(recording, { ...about, session }))
    }
    return
  }
  const pruned = await prunedSessions(terminal, recordings, options.store)
  const { models } = config
  const priced = { regime, models, sessionFor: sessionOf, ranWith: pruned.ranWith }
  if (options.json) {
    const summary = summarise(recordings, priced)
    const { all } = pruned
    const value = all.length === 0 ? summary : { ...summary, alreadyPruned: all }
    await writeJson(terminal, value)
    return
  }
  const { columns } = terminal
  const already = alreadyPrunedLines(pruned.all)
  await writeLines(terminal.out, [
    ...already.flatMap((line) => wrapped(line, columns)),
    ...summaryLines(reportReplay(recordings, priced), policy, regime, {
      columns,
      withEpochs: options.epochs === true,
    }),
    '',
  ])
  const mappings = config.toolMappings
  for (const recording of recordings)
    await writeLines(terminal.out, replayLines(recording, { terminal, mappings }))
}

/** The prices of the model that the session was recorded with, by which it was also decided. */
function ownRegime(recordings: readonly Recording[], { models }: Config): Regime {
  return regimeFor(recordings[0]?.model ?? null, models)
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
