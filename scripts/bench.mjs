// `npm run bench`, `npm run bench:store` and so on: bundles a benchmark, because Node 20 cannot run TypeScript, and runs it.
import { spawnSync } from 'node:child_process'
import { cache, ensureInstalled, inRoot, root } from './install.mjs'

const [name, ...args] = process.argv.slice(2)
ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot(`bench/${name}.ts`),
  platform: 'node',
  external: [/^node:/, /^bun:/, 'pg'],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
const file = `${cache}/bench/${name}.mjs`
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
// The benchmark prints its own errors, so no stack is added here.
const { status, signal, error } = spawnSync(process.execPath, [file, ...args], {
  cwd: root,
  stdio: 'inherit',
})
if (error) throw error
if (signal !== null) console.error(`the benchmark was ended by ${signal}`)
process.exitCode = status ?? 1
