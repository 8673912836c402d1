import { hash } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { shellWord } from '../core/words/shell-word.ts'
import type { StoreLocation } from '../store/index.ts'
import type { Terminal } from './terminal.ts'

interface LauncherOptions {
  readonly terminal: Pick<Terminal, 'home' | 'cwd' | 'program'>
  readonly location: StoreLocation
  /** Whether the store comes from the user's configuration, which the command reads too. */
  readonly isConfigured: boolean
}

/**
 * Writes a script into the user's folder that runs `palimpsest restore` on this store. After `npx` there is no `palimpsest`
 * in the search path, and the full command would make every placeholder long. Returns the shell command that runs the
 * script; null when it cannot be written.
 */
export function writeRestoreLauncher({
  terminal: { home, cwd, program },
  location,
  isConfigured,
}: LauncherOptions): string | null {
  if (program === undefined || home === undefined || location.kind === 'memory') return null
  const folder = path.resolve(cwd, home)
  const store = storeArguments(location, isConfigured)
  if (store === null) return null
  const isUsual = location.kind === 'sqlite' && location.home !== undefined
  const file = path.join(folder, isUsual ? 'restore' : `restore-${nameOf(location)}`)
  const [runtime = '', ...rest] = program
  const script = [
    '#!/bin/sh',
    '# Written by `palimpsest serve`. Prints the original behind a handle.',
    ...(store.length === 0 ? [`export PALIMPSEST_HOME=${shellWord(folder)}`] : []),
    `exec ${[runtime, ...rest, 'restore', ...store].map(shellWord).join(' ')} "$@"`,
    '',
  ].join('\n')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    write(file, script)
    accessSync(file, constants.X_OK)
    return shellWord(file)
  } catch {
    return null
  }
}

/** The command that started this process; undefined when it cannot be run from a shell script. */
export function runningProgram(): readonly string[] | undefined {
  const [runtime, script] = process.argv
  if (process.platform === 'win32' || runtime === undefined || script === undefined)
    return undefined
  try {
    return [process.execPath, ...process.execArgv, realpathSync(script)]
  } catch {
    return undefined
  }
}

/** null when the command would contain a password. */
function storeArguments(
  location: Exclude<StoreLocation, { readonly kind: 'memory' }>,
  isConfigured: boolean,
): readonly string[] | null {
  if (location.kind === 'sqlite') return ['--store', location.path]
  if (isConfigured) return []
  const { url } = location
  return hasPassword(url) ? null : ['--store', url]
}

function hasPassword(url: string): boolean {
  return /^[^:]+:\/\/[^/@]*:[^/@]*@/.test(url) || /[?&](?:password|sslpassword)=/i.test(url)
}

/** A name for the store, so that gateways on different stores write different scripts. */
function nameOf(location: Exclude<StoreLocation, { readonly kind: 'memory' }>): string {
  return hash('sha256', location.kind === 'sqlite' ? location.path : location.url).slice(0, 6)
}

function write(file: string, script: string): void {
  if (isWritten(file, script)) return
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, script, { mode: 0o700 })
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function isWritten(file: string, script: string): boolean {
  try {
    return readFileSync(file, 'utf8') === script
  } catch {
    return false
  }
}
