// Finds and installs the load balancer of the tests with several gateways: Debian's nginx.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { installPackage } from './system-package.mjs'

/** The path of the program; null when it is not installed. */
export function nginxPath() {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(path.delimiter)]
  return (
    folders.map((folder) => path.join(folder, 'nginx')).find((file) => existsSync(file)) ?? null
  )
}

/** Installs it, when this user has permission. */
export function installNginx() {
  if (nginxPath() === null) installPackage('nginx')
}
