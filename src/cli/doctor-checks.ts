import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { openPauses } from '../config/pauses.ts'
import { formatSize } from '../config/quantities.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { shellWord } from '../core/words/shell-word.ts'
import { locationOf } from '../session/setup.ts'
import type { UserSetup } from '../setup/agent.ts'
import type { SetupRecord } from '../setup/setup-record.ts'
import { openStore, type StoreLocation } from '../store/index.ts'
import { plural } from './figures.ts'
import { placeOf } from './serving-lines.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  /** The command that fixes it; null when there is none, or nothing to fix. */
  readonly fix: string | null
}

export interface DoctorParts {
  readonly terminal: Terminal
  /** The folder of our configuration. */
  readonly home: string
  readonly user: UserSetup
  readonly record: SetupRecord | undefined
  readonly store: string | undefined
}

export function finding(
  check: string,
  level: Finding['level'],
  text: string,
  fix: string | null = null,
): Finding {
  return { check, level, text, fix }
}

export function programFindings({ terminal, record }: DoctorParts): readonly Finding[] {
  const runtime =
    process.versions.bun === undefined
      ? `Node ${process.versions.node}`
      : `Bun ${process.versions.bun}`
  const script = terminal.program?.at(-1) ?? ''
  const isPassing = record !== undefined && /[/\\]_npx[/\\]/.test(script)
  return [
    finding(
      'program',
      'ok',
      `palimpsest ${version} on ${runtime}, ${process.platform} ${process.arch}`,
    ),
    ...(isPassing
      ? [
          finding(
            'program',
            'warning',
            'agents are set up with a copy in the cache of npx, which npm may clear',
            'npm install -g palimpsest && palimpsest init --undo --yes && palimpsest init',
          ),
        ]
      : []),
  ]
}

export function folderFindings({ home }: DoctorParts): readonly Finding[] {
  if (!existsSync(home)) return [finding('folder', 'ok', `${home} does not exist yet`)]
  try {
    accessSync(home, constants.W_OK)
  } catch {
    const fix = `chmod u+w ${shellWord(home)}`
    return [finding('folder', 'error', `${home} cannot be written: nothing can be stored`, fix)]
  }
  const isOpen = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0
  return [
    isOpen && existsSync(path.join(home, 'palimpsest.db'))
      ? finding('folder', 'warning', `others can read ${home}`, `chmod 700 ${shellWord(home)}`)
      : finding('folder', 'ok', `${home} can be written`),
  ]
}

export function configFindings({ terminal, home }: DoctorParts): readonly Finding[] {
  const check = 'configuration'
  try {
    const { warnings, untrusted = [] } = loadConfig(terminal)
    const paused = openPauses(home, terminal.now).state().everything !== null
    return [
      ...warnings.map((warning) => finding(check, 'warning', warning)),
      ...untrusted.map(({ file, keys }) =>
        finding(
          check,
          'warning',
          `${file} sets ${keys.join(', ')}, which is ignored`,
          'palimpsest trust',
        ),
      ),
      ...(paused
        ? [finding(check, 'warning', 'pruning is paused for everything', 'palimpsest resume')]
        : []),
      ...(warnings.length + untrusted.length === 0
        ? [finding(check, 'ok', 'configuration is valid')]
        : []),
    ]
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return [finding(check, 'error', error.message)]
  }
}

/** Where sessions are kept, or the error that hides it; null with a configuration that cannot be read. */
export function locationFor({
  terminal,
  store,
}: DoctorParts): StoreLocation | PalimpsestError | null {
  const config = configOf(terminal)
  if (config === null) return null
  try {
    const { cwd, home } = terminal
    return locationOf(config, { store, home, cwd })
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return error
  }
}

function configOf(terminal: Terminal): Config | null {
  try {
    return loadConfig(terminal)
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return null
  }
}

export async function storeFindings(
  parts: DoctorParts,
  location: StoreLocation | PalimpsestError | null,
): Promise<readonly Finding[]> {
  if (location === null) return []
  if (PalimpsestError.is(location)) return [finding('store', 'error', location.message)]
  if (location.kind === 'memory') return []
  const place = placeOf(location)
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    return canBeMade(location.path)
      ? [finding('store', 'ok', `no store yet: ${place} is created with the first request`)]
      : [
          finding(
            'store',
            'error',
            `${place} does not exist and cannot be created; choose another store`,
          ),
        ]
  }
  try {
    const store = await openStore(location, { now: parts.terminal.now, readOnly: true })
    try {
      const sessions = await store.sessions()
      const size = location.kind === 'sqlite' ? `, ${formatSize(statSync(location.path).size)}` : ''
      return [finding('store', 'ok', `${place}: ${plural(sessions.length, 'session')}${size}`)]
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return [finding('store', 'error', error.message, 'palimpsest store check')]
  }
}

/** Whether a file can be created at a path. Tries it with a folder next to it, or in the nearest parent that exists. */
function canBeMade(file: string): boolean {
  const folder = path.dirname(file)
  if (folder !== file && !existsSync(folder)) return canBeMade(folder)
  try {
    // A link to nowhere.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false
    rmdirSync(mkdtempSync(path.join(folder, '.palimpsest-')))
    return true
  } catch {
    return false
  }
}
