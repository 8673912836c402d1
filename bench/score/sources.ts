import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type FoundFile, findFiles, openRecording } from '../../src/cli/recording-files.ts'
import type { Config } from '../../src/config/config.ts'
import type { NamedRegime } from '../../src/core/schedule/regimes.ts'
import type { Recording } from '../../src/recordings/recording.ts'
import { sessionFor } from '../../src/replay/recorded-session.ts'
import { traceLines } from '../../src/replay/trace.ts'
import { type Needs, needsOf } from './needs.ts'
import { readTrace } from './read-trace.ts'
import type { TracedSession } from './session.ts'

/** A mistake in the arguments of a benchmark. */
export class BenchError extends Error {}

/** Runs a benchmark. Exits with code 2 and one line when its arguments are wrong. */
export async function exitCodeOf(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    const isUsage = error instanceof BenchError || isArgumentError(error)
    if (!isUsage) throw error
    process.stderr.write(`${(error as Error).message}\n`)
    return 2
  }
}

function isArgumentError(error: unknown): boolean {
  return (
    error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS')
  )
}

export const usualCorpus = '../shared/corpus'
export const usualCorpora: readonly string[] = [usualCorpus, '../shared/corpus-2']

/** The folder itself. Without a recording in it there is nothing to measure. */
export async function existingCorpus(folder: string): Promise<string> {
  if (!existsSync(folder))
    throw new BenchError(`--corpus ${folder}: there is no such file or folder`)
  if ((await recordingFiles(folder)).length > 0) return folder
  throw new BenchError(`--corpus ${folder}: there are no recordings in it`)
}

/** Every file below a folder but the lists and texts about them. */
export async function recordingFiles(folder: string): Promise<readonly FoundFile[]> {
  return (await findFiles(folder)).filter(({ file }) => !/\.(?:tsv|md)$/.test(file))
}

/** A recorded session, its trace without any policy, and what its actions needed. */
export interface BenchSession {
  /** Path below the folder that was searched. */
  readonly name: string
  readonly file: string
  /** Which of the sessions in the file. */
  readonly ordinal: number
  readonly recording: Recording
  readonly unpruned: TracedSession
  readonly needs: Needs
}

/** Reads every recording below a folder and skips other files. */
export async function* benchSessions(
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<BenchSession> {
  for (const { file } of await recordingFiles(folder)) {
    const name = path.relative(folder, file) || path.basename(file)
    if (!isWanted(name)) continue
    const { recordings } = await openRecording(file)
    for (const [ordinal, recording] of recordings.entries())
      yield benchSession({ name, file, ordinal, recording })
  }
}

export function benchSession(
  source: Pick<BenchSession, 'name' | 'file' | 'ordinal' | 'recording'>,
): BenchSession {
  const { file, recording } = source
  const lines = traceLines(recording, { file, policy: 'none', regime: 'anthropic-5m' })
  const [unpruned] = readTrace(lines)
  if (unpruned === undefined) throw new Error(`${file} gives no trace`)
  return { ...source, unpruned, needs: needsOf(unpruned) }
}

/** The trace of a session under our engine. */
export function engineTrace(
  { file, recording }: BenchSession,
  config: Config,
  policy: string,
  regime?: NamedRegime,
): TracedSession {
  const onFault = (fault: unknown): void => {
    process.stderr.write(`${file}: a fault of ours left a request unchanged: ${String(fault)}\n`)
  }
  const session = sessionFor(recording, {
    config: { ...config, regime: regime?.name ?? config.regime },
    onFault,
  })
  const lines = traceLines(recording, {
    file,
    policy,
    regime: regime?.name ?? 'anthropic-5m',
    session,
  })
  const [traced] = readTrace(lines)
  if (traced === undefined) throw new Error(`${file} gives no trace`)
  return traced
}

/** The output of a program for a recording. `{file}` in the command is replaced by its path. */
export function commandTrace(
  { file, ordinal }: Pick<BenchSession, 'file' | 'ordinal'>,
  command: string,
): TracedSession {
  const quoted = `'${file.replaceAll("'", "'\\''")}'`
  let output: string
  try {
    output = execFileSync('/bin/sh', ['-c', command.replaceAll('{file}', quoted)], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } catch (cause) {
    // A program that does not run has no score.
    throw new BenchError(`--trace-cmd failed for ${file}: ${(cause as Error).message.trim()}`)
  }
  const traced = readTrace(output.split('\n'))[ordinal]
  if (traced !== undefined && traced.requests.length > 0) return traced
  throw new BenchError(`--trace-cmd printed no trace of ${file}; see docs/traces.md`)
}
