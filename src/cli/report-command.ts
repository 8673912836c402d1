import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { openPauses } from '../config/pauses.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { createDashboard, type Dashboard } from '../dashboard/dashboard.ts'
import { reportData, reportFile } from '../dashboard/report-data.ts'
import { storeRecording } from '../replay/store-recording.ts'
import { createMemoryStore, type Store } from '../store/index.ts'
import { chosenSetup, type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { plural } from './figures.ts'
import { createProgress } from './progress.ts'
import { findFiles, openRecording } from './recording-files.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeNotice, writeResult } from './terminal.ts'
import { version } from './version.ts'

interface ReportOptions extends SetupOptions {
  readonly out: string
  readonly compare: boolean
  readonly json?: true
}

/** A report of this size opens in a second or two. */
const mostCharacters = 60_000_000

export function reportCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('report'))
    .description('write the dashboard of a session as one HTML file that opens without a server')
    .argument('<file-folder-or-session>', 'a recording, a folder of them, or the id of a session')
    .option('-o, --out <file>', 'where to write it', 'palimpsest-report.html')
    .option('--no-compare', 'leave out the comparison of policies, which takes seconds')
    .option('--json', 'print one JSON value: {file, bytes, sessions}')
    .addHelpText(
      'after',
      `
The file contains the session's originals. It sends nothing anywhere: share it as you would share the session.
A folder's report has no comparison of policies; \`palimpsest compare FOLDER\` prints one.

Examples:
  palimpsest report session.jsonl
  palimpsest report recordings/ -o week.html
  palimpsest report 0f5c2b1e-…     a session of the store`,
    )
    .action(async (target: string, options: ReportOptions) => {
      const found = existsSync(path.resolve(terminal.cwd, target))
        ? await recorded(terminal, target, options)
        : await stored(terminal, target, options)
      const file = path.resolve(terminal.cwd, options.out)
      const bytes = Buffer.byteLength(found.html)
      writeFileSync(file, found.html, { mode: 0o600 })
      const sessions = found.sessions.length
      const line = `wrote ${options.out}: ${plural(sessions, 'session')}, ${(bytes / 1e6).toFixed(1)} MB`
      await writeResult(terminal, options, { file, bytes, sessions: found.sessions }, [line])
    })
}

interface Written {
  readonly html: string
  /** Ids of the sessions in it. */
  readonly sessions: readonly string[]
}

async function recorded(
  terminal: Terminal,
  target: string,
  options: ReportOptions,
): Promise<Written> {
  const { config } = chosenSetup(terminal, options)
  const store = createMemoryStore()
  const files = await findFiles(path.resolve(terminal.cwd, target))
  for (const { file } of files) {
    try {
      const { recordings, problems } = await openRecording(file)
      reportProblems(terminal, file, problems)
      for (const [index, recording] of recordings.entries()) {
        const session = recording.session ?? `${path.basename(file)} ${index + 1}`
        await storeRecording(store, { ...recording, session }, config)
      }
    } catch (error) {
      if (files.length === 1 || !PalimpsestError.is(error)) throw error
      writeNotice(terminal, `palimpsest: skipped: ${error.message}`)
    }
  }
  const all = await store.sessions()
  if (all.length === 0)
    throw new PalimpsestError('unreadable', `${target}: there is no recorded session in it`)
  const from = files.length === 1 ? path.basename(target) : `${path.basename(target)}/`
  return written(terminal, store, { config, from, sessions: all, options })
}

function stored(terminal: Terminal, target: string, options: ReportOptions): Promise<Written> {
  const { config } = chosenSetup(terminal, options)
  return withStore(terminal, options, async (store) => {
    const all = await store.sessions()
    const exact = all.filter(({ id }) => id === target)
    const found = exact.length > 0 ? exact : all.filter(({ id }) => id.startsWith(target))
    if (found.length === 0)
      throw new PalimpsestError(
        'absent',
        `${target} is neither a file nor a session of the store: \`palimpsest sessions\` lists them`,
      )
    if (new Set(found.map(({ id }) => id)).size > 1)
      throw new PalimpsestError(
        'usage',
        `${found.length} sessions begin with ${target}: give more of the id`,
      )
    return written(terminal, store, { config, from: 'the store', sessions: found, options })
  })
}

interface Chosen {
  readonly config: Config
  readonly from: string
  readonly sessions: readonly { readonly id: string; readonly number: number }[]
  readonly options: ReportOptions
}

async function written(
  terminal: Terminal,
  store: Store,
  { config, from, sessions, options }: Chosen,
): Promise<Written> {
  const { now } = terminal
  const dashboard: Dashboard = createDashboard({
    store,
    config,
    now,
    useMemory: null,
    pauses: openPauses(undefined, now),
    status: () => ({
      version,
      startedAt: now(),
      store: `from ${from}`,
      faults: { connections: 0, internal: 0 },
      bypasses: {},
      verified: null,
    }),
    settings: () => ({ values: [], files: [], agents: [] }),
  })
  const progress = createProgress(terminal, sessions.length)
  const data = await reportData(dashboard, {
    keys: sessions.map(({ number }) => String(number)),
    compares: options.compare && sessions.length === 1,
    mostCharacters,
    onSession: (done) => progress.advance(1, `session ${done + 1} of ${sessions.length}`),
  })
  progress.end()
  return { html: reportFile(data), sessions: sessions.map(({ id }) => id) }
}
