// Installs the development dependencies when they are missing or older than the lockfile, so that `npm start` and
// `npm test` work as the first command on a fresh clone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
export const cache = path.join(root, '.cache')

export function inRoot(...segments) {
  return path.join(root, ...segments)
}

/** Runs a program with its output on this terminal; throws when it fails. */
export function run(command, args, options = {}) {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', ...options })
}

export function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex')
  const stamp = inRoot('node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.error('installing dependencies …')
  // Not `npm ci`, which needs the optional packages of every platform and fails with registries that mirror only some
  // platforms. No dependency needs an install script.
  run('npm', [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  writeFileSync(stamp, lock)
}
