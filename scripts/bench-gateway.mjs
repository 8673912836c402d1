// `npm run bench:gateway [-- --quick] [--only=added|throughput|crowd]`: bundles the gateway, its benchmark and what that
// compares it with, because Node 20 runs no TypeScript, and runs it.
import { spawnSync } from 'node:child_process'
import { cache, ensureInstalled, inRoot } from './install.mjs'

ensureInstalled()
const { build } = await import('rolldown')

async function bundle(input, name) {
  // Two folders deep, as the command line is in the package.
  const file = `${cache}/bench-gateway/${name}.mjs`
  await build({
    input: inRoot(input),
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}

const upstream = await bundle('bench/gateway/upstream-process.ts', 'upstream')
const proxy = await bundle('bench/gateway/plain-proxy-process.ts', 'plain-proxy')
const command = await bundle('src/cli/main.ts', 'palimpsest')
const main = await bundle('bench/gateway.ts', 'bench')
// The client clears its own garbage away between measurements, and has no threads that would take a core from the gateway
// meanwhile. A row that misses its limit is no error of this script.
const { status } = spawnSync(
  process.execPath,
  ['--expose-gc', '--single-threaded', main, upstream, proxy, command, ...process.argv.slice(2)],
  { cwd: inRoot(), stdio: 'inherit' },
)
process.exitCode = status ?? 1
