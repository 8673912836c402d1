import { Command } from 'commander'
import { type Config, type PresetName, presetNames } from '../config/config.ts'
import { resolveSettings } from '../config/resolve.ts'
import { regimeNames, regimes } from '../core/schedule/regimes.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { schedules } from '../core/words/settings.ts'
import { type CacheCheck, checkCache, sumChecks } from '../replay/cache-check.ts'
import { createContest, type Variant } from '../replay/compare.ts'
import { finish } from '../replay/work.ts'
import { chosenConfig, configOption } from './chosen-config.ts'
import { compareLines } from './compare-lines.ts'
import { createProgress } from './progress.ts'
import { findFiles, openRecording } from './recording-files.ts'
import { reportProblems } from './report-problems.ts'
import { cacheLines } from './summary-lines.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface CompareOptions {
  readonly preset?: string
  readonly config?: string
  readonly schedule?: string
  readonly regime?: string
  readonly json?: true
}

export function compareCommand(terminal: Terminal): Command {
  return new Command('compare')
    .description('compare presets, schedules and prices on a recording or a folder of them')
    .argument('<file-or-folder>', 'a recording, or a folder of them')
    .option('--preset <names>', `some of: ${presetNames.join(', ')} (separated by commas)`)
    .option(...configOption)
    .option('--schedule <names>', `some of: ${schedules.join(', ')}`)
    .option('--regime <names>', `some of: ${regimeNames.join(', ')}`)
    .option('--json', 'print one JSON value: {sessions, requests, variants, cache}')
    .addHelpText(
      'after',
      `
Without --preset and --schedule: every preset with its own schedule, and the configured preset with every schedule.

Examples:
  palimpsest compare session.jsonl
  palimpsest compare recordings/ --preset balanced,acp,dcp
  palimpsest compare session.jsonl --schedule economic,eager --json`,
    )
    .action(async (target: string, options: CompareOptions) => {
      const config = chosenConfig(terminal, { config: options.config })
      const variants = chosenVariants(options, config)
      const named = someOf('--regime', options.regime, regimeNames) ?? regimeNames
      const contest = createContest({
        config,
        variants,
        regimes: regimes.filter(({ name }) => named.includes(name)),
        onFault: (fault) => {
          writeNotice(
            terminal,
            `palimpsest: an internal error left a request unchanged: ${String(fault)}`,
          )
        },
      })
      const cache = await runAll(target, contest, { terminal, config })
      const results = contest.results()
      if (options.json) {
        const { sessions = 0, requests = 0 } = results[0] ?? {}
        const value = { sessions, requests, variants: results.map(withoutCounts), cache }
        await writeJson(terminal, value)
        return
      }
      await writeLines(terminal.out, [
        ...compareLines(results, terminal),
        ...cacheLines(cache).flatMap((line) => wrapped(line, terminal.columns)),
      ])
    })
}

interface Surroundings {
  readonly terminal: Terminal
  readonly config: Config
}

async function runAll(
  target: string,
  contest: ReturnType<typeof createContest>,
  { terminal, config }: Surroundings,
): Promise<{ readonly figures: CacheCheck; readonly rules: CacheCheck }> {
  const files = await findFiles(target)
  const progress = createProgress(
    terminal,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const checks: { figures: CacheCheck[]; rules: CacheCheck[] } = { figures: [], rules: [] }
  let sessions = 0
  for (const { file, bytes } of files) {
    try {
      const { recordings, problems } = await openRecording(file)
      reportProblems(terminal, file, problems)
      for (const recording of recordings) {
        finish(contest.add(recording))
        for (const from of ['figures', 'rules'] as const)
          checks[from].push(checkCache(recording, { models: config.models ?? [], from }))
        sessions++
      }
    } catch (error) {
      // A file that is not a recording does not stop the others in a folder.
      if (!PalimpsestError.is(error) || files.length === 1) throw error
      writeNotice(terminal, `palimpsest: skipped: ${error.message}`)
    }
    progress.advance(bytes, file)
  }
  progress.end()
  if (sessions === 0) throw new PalimpsestError('unreadable', `${target} contains no recording`)
  return { figures: sumChecks(checks.figures), rules: sumChecks(checks.rules) }
}

function withoutCounts<Type extends { readonly sessions: number; readonly requests: number }>({
  sessions: _,
  requests: __,
  ...rest
}: Type): Omit<Type, 'sessions' | 'requests'> {
  return rest
}

function chosenVariants(options: CompareOptions, config: Config): readonly Variant[] {
  const presets = someOf('--preset', options.preset, presetNames)
  const named = someOf('--schedule', options.schedule, schedules)
  const own = (preset: PresetName): Variant => ({
    preset,
    schedule: resolveSettings({ ...config, schedule: undefined, preset }).schedule,
  })
  const configured = config.preset ?? 'balanced'
  if (named !== undefined) {
    return (presets ?? [configured]).flatMap((preset) =>
      named.map((schedule) => ({ preset, schedule })),
    )
  }
  if (presets !== undefined) return presets.map(own)
  const all = presetNames.filter((preset) => preset !== 'off').map(own)
  const others = schedules.map((schedule) => ({ preset: configured, schedule }))
  const isNew = (variant: Variant): boolean =>
    !all.some(({ preset, schedule }) => preset === variant.preset && schedule === variant.schedule)
  return [...all, ...others.filter(isNew)]
}

function someOf<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
): readonly Name[] | undefined {
  if (value === undefined) return undefined
  return [...new Set(value.split(',').map((each) => each.trim()))].map((wanted) => {
    const name = names.find((each) => each === wanted)
    if (name !== undefined) return name
    const message = `${option} ${wanted} is not known; use some of: ${names.join(', ')}`
    throw new PalimpsestError('usage', message)
  })
}
