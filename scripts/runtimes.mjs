// The other runtimes that the package is tested on, as binaries from the npm registry, in .cache/runtimes.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cache, run } from './install.mjs'

const bunArch = { x64: 'x64', arm64: 'aarch64' }[process.arch] ?? process.arch
const nodePackage = `node-${process.platform}-${process.arch}`

export const runtimes = [
  { name: 'node-22', package: nodePackage, version: '22.23.3', binary: 'bin/node' },
  { name: 'node-24', package: nodePackage, version: '24.21.0', binary: 'bin/node' },
  {
    name: 'bun-1.3',
    package: `@oven/bun-${process.platform}-${bunArch}`,
    version: '1.3.14',
    binary: 'bin/bun',
  },
]

export function runtimePath(runtime) {
  return path.join(cache, 'runtimes', runtime.name, 'node_modules', runtime.package, runtime.binary)
}

/** Installs the named runtimes, or all, where missing. */
export function installRuntimes(names = runtimes.map(({ name }) => name)) {
  for (const runtime of runtimes) {
    if (!names.includes(runtime.name)) continue
    if (existsSync(runtimePath(runtime))) continue
    const folder = path.join(cache, 'runtimes', runtime.name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
    console.error(`installing ${runtime.name} …`)
    const spec = `${runtime.package}@${runtime.version}`
    run(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        spec,
      ],
      { cwd: folder },
    )
  }
}
