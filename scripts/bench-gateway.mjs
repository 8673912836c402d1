// `npm run bench:gateway [-- --quick] [--minutes=10] [--only=added|turns|heap|load|team]` and `npm run bench:team`: bundles the
// gateway, its benchmark and the plain proxy, because Node 20 cannot run TypeScript, and runs the benchmark.
import { spawnSync } from 'node:child_process'
import { cache, ensureInstalled, inRoot } from './install.mjs'

ensureInstalled()
const { build } = await import('rolldown')

async function bundle(input, name) {
  // Two folders deep, like the command line in the package.
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
const [benchmark, ...args] = process.argv.slice(2)
const main = await bundle(`bench/${benchmark}.ts`, benchmark)
const heapProbe = inRoot('bench/gateway/heap-probe.mjs')
const { status } = spawnSync(
  process.execPath,
  [main, upstream, proxy, command, heapProbe, ...args],
  { cwd: inRoot(), stdio: 'inherit' },
)
process.exitCode = status ?? 1
