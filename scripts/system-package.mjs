import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Whether a program is in one of the folders of PATH. */
export function hasProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.some((folder) => existsSync(path.join(folder, name)))
}

/** Installs a system package, when this user has permission. */
export function installPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.error(`installing ${name} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore' })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
}
